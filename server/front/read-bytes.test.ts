import { expect, test } from "vitest";
import { readBytes, withBytes } from "./read-bytes";

/** A body of chunks that come as they are asked for; `null` = nothing more comes, and no end. */
function request(chunks: (Uint8Array | null)[], headers: Record<string, string> = {}): Request {
  let asked = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[asked++];
      if (chunk === undefined) return controller.close();
      if (chunk === null) return new Promise(() => undefined);
      controller.enqueue(chunk);
    },
  });
  return new Request("http://a/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}
const bytes = (count: number) => new Uint8Array(count);
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: { code?: string }) => error.code,
  );
const mega = 1_048_576;

test("a body is read to its limit and no further, whatever it says of itself", async () => {
  expect(await readBytes(request([bytes(3), bytes(4)]), 7)).toHaveLength(7);
  expect(await codeOf(readBytes(request([bytes(3), bytes(5)]), 7))).toBe("payload_too_large");
  expect(await codeOf(readBytes(request([bytes(1)], { "content-length": "8" }), 7))).toBe("payload_too_large");
  expect(await readBytes(new Request("http://a/", { method: "POST" }), 7)).toHaveLength(0);
});

test("one that stands still, and one that comes a byte at a time, are given up", async () => {
  expect(await codeOf(readBytes(request([bytes(1), null]), 7, { silentMs: 20 }))).toBe("request_timeout");
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((done) => setTimeout(done, 10));
      controller.enqueue(bytes(1));
    },
  });
  const dribble = new Request("http://a/", { method: "POST", body: slow, duplex: "half" } as RequestInit);
  expect(await codeOf(readBytes(dribble, mega, { wholeMs: 60 }))).toBe("request_timeout");
});

test("large bodies share one store of memory, and give back what they held however they end", async () => {
  const open: (() => void)[] = [];
  const large = () =>
    withBytes(request([bytes(30 * mega)]), 64 * mega, () => new Promise<void>((done) => open.push(done)));
  const held = [large(), large()];
  await expect.poll(() => open.length).toBe(2);
  expect(await codeOf(large())).toBe("busy");
  expect(await codeOf(readBytes(request([bytes(30 * mega), null]), 64 * mega, { silentMs: 20 }))).toBe("busy");
  // What callers send all day is read meanwhile.
  expect(await readBytes(request([bytes(60_000)]), mega)).toHaveLength(60_000);
  for (const done of open) done();
  await Promise.all(held);
  expect(await codeOf(withBytes(request([bytes(70 * mega)]), 75 * mega, () => Promise.reject(new Error("x"))))).toBe(
    undefined,
  );
  expect(await readBytes(request([bytes(70 * mega)]), 75 * mega)).toHaveLength(70 * mega);
});

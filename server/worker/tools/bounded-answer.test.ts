// Answers that never end, as a hostile or a broken server sends them.
import { expect, test } from "vitest";
import { boundAnswer } from "./bounded-answer";
import { endBroken } from "./broken-answer";

const request = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call" });
const KIB = 1_024;

/** Without end, or of so many pieces. */
function answer(type: string, piece: string, count = Number.POSITIVE_INFINITY): Response {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (to) => (sent++ < count ? to.enqueue(new TextEncoder().encode(piece)) : to.close()),
  });
  return new Response(body, { headers: { "content-type": type } });
}

test("an endless body is cut off", async () => {
  const endless = boundAnswer(answer("application/json", "[".repeat(KIB)), 64 * KIB);
  await expect(endless.text()).rejects.toThrow("its answer has more than 65536 bytes");
  expect(await boundAnswer(answer("application/json", "1".repeat(KIB), 64), 64 * KIB).text()).toHaveLength(64 * KIB);
});

test("a stream continues as long as its events end", async () => {
  const events = answer("text/event-stream", `data: ${"x".repeat(KIB)}\n\n`, 200);
  expect(await boundAnswer(events, 64 * KIB).text()).toHaveLength(200 * (KIB + 8));
});

test("an endless event is answered with the reason, so that the caller does not wait for it", async () => {
  const endless = answer("text/event-stream", `data: {"result": "${"x".repeat(KIB)}`);
  const text = await endBroken(request, boundAnswer(endless, 64 * KIB)).text();
  expect(JSON.parse(text.slice(text.lastIndexOf("data: ") + 6))).toMatchObject({
    id: 7,
    error: { message: "its answer has more than 65536 bytes; ask it for less" },
  });
});

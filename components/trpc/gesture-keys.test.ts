import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { expect, test } from "vitest";
import type { AppRouter } from "@/server/api/root";
import { createGestureKeys, keyHeader } from "./gesture-keys";

/** Answers as told; remembers with which key it was asked. */
function lineTo(answers: ("done" | "lost" | "unknown" | "refused")[], now = () => 0) {
  const keys: (string | undefined)[] = [];
  const end: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        keys.push(keyHeader(op.context)["idempotency-key"]);
        const answer = answers.shift();
        if (answer === "done") observer.next({ result: { type: "data", data: {} } });
        if (answer === "done") return observer.complete();
        const data = { unknown: { httpStatus: 503 }, refused: { httpStatus: 422 }, lost: undefined }[answer ?? "lost"];
        const result = data && { error: { message: "no", code: -32000, data } };
        observer.error(TRPCClientError.from((result ?? new Error("fetch failed")) as never));
      });
  const client = createTRPCClient<AppRouter>({ links: [createGestureKeys(now), end] });
  const ask = (title: string) => client.project.update.mutate({ project_id: "p", title }).catch(() => null);
  return { keys, ask, client };
}

test("each gesture has a key of its own; asked again after an answer that was lost, it has the same", async () => {
  const { keys, ask } = lineTo(["done", "done", "lost", "unknown", "done", "done"]);
  for (let i = 0; i < 6; i++) await ask("a title");
  const [first, second, lost, again, done, next] = keys;
  expect(lost).toMatch(/^[0-9a-f]{32}$/);
  expect([again, done]).toEqual([lost, lost]);
  expect(new Set([first, second, lost, next]).size).toBe(4);
});

test("a refusal is an answer, other words are another gesture, and an hour later so are the same ones", async () => {
  let hour = 0;
  const { keys, ask } = lineTo(["refused", "lost", "lost", "done"], () => hour * 3_600_000);
  await ask("a");
  await ask("a");
  await ask("b");
  hour = 1;
  await ask("a");
  expect(new Set(keys).size).toBe(4);
});

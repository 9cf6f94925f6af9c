import { expect, test } from "vitest";
import { eachRun, type RunNamed } from "./each-run";

test("one that is refused does not keep the others, and is listed with its reason", async () => {
  const lines = [1, 2, 3].map((number) => ({ number }) as RunNamed);
  const done: number[] = [];
  const asked: number[] = [];
  const refused = await eachRun(
    lines,
    async ({ number }) => {
      asked.push(number);
      if (number === 1) throw new Error("the queue is full");
      return number === 2 ? "it had ended already" : null;
    },
    (n) => done.push(n),
  );
  expect(asked).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
  expect(refused.map(({ line, message }) => [line.number, message])).toEqual([
    [1, "the queue is full"],
    [2, "it had ended already"],
  ]);
});

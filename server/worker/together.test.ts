import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { together } from "./together";

const collect = (refuse?: (n: number) => Error | undefined) => {
  const sent: number[][] = [];
  const call = together(async (inputs: number[]) => {
    sent.push(inputs);
    const error = inputs.map((n) => refuse?.(n)).find((one) => one !== undefined);
    if (error) throw error;
    return inputs.map((n) => n * 10);
  }, 3);
  return { sent, call };
};

test("calls at the same moment are sent together, in order, up to the limit", async () => {
  const { sent, call } = collect();
  expect(await Promise.all([1, 2, 3, 4].map(call))).toEqual([10, 20, 30, 40]);
  expect(sent).toEqual([[1, 2, 3], [4]]);
  expect(await call(5)).toBe(50);
  expect(sent.at(-1)).toEqual([5]);
});

test("a refused call does not fail the others", async () => {
  const { call } = collect((n) => (n === 2 ? new KernelError("bad_request", "no two") : undefined));
  const outcomes = await Promise.allSettled([1, 2, 3].map(call));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("an unavailable database fails all of them at once, so that each tries again", async () => {
  const { sent, call } = collect(() => new KernelError("storage_error", "away"));
  const outcomes = await Promise.allSettled([1, 2].map(call));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
  expect(sent).toEqual([[1, 2]]);
});

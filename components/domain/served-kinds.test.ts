import { expect, test } from "vitest";
import { isUnserved, kindsOf, unservedWords } from "./served-kinds";

const about = (worker_target: string, needs_own_worker = false, is_human = false) => ({
  worker_target,
  needs_own_worker,
  is_human,
});

test("each kind of turns is asked about once, in one order whatever that of the rows; people are not", () => {
  const rows = [about("b"), about("a", true), about("b"), about("a"), about("human", true, true)];
  const kinds = kindsOf(rows);
  expect(kinds).toEqual([
    { worker_target: "a", needs_own_worker: false },
    { worker_target: "a", needs_own_worker: true },
    { worker_target: "b", needs_own_worker: false },
  ]);
  expect(kindsOf(rows.toReversed())).toEqual(kinds);
});

test("before the answer nothing is said, and of what was not asked about nothing either", () => {
  const asked = [about("a"), about("b")];
  expect(isUnserved(about("a"), { unserved: undefined, asked })).toBeUndefined();
  const of = (one: ReturnType<typeof about>, to = asked) => isUnserved(one, { unserved: [about("b")], asked: to });
  expect([of(about("a")), of(about("b")), of(about("c"))]).toEqual([false, true, undefined]);
  expect(of(about("a", true))).toBeUndefined();
  expect(of(about("human", true, true))).toBe(false);
  // An answer to an earlier question: what it names has no worker, the rest is not known yet.
  expect([of(about("a"), []), of(about("b"), [])]).toEqual([undefined, true]);
});

test("what helps is another thing for a profile that names no model", () => {
  expect(unservedWords(about("gpu"))).toContain("SWITCHYARD_WORKER_TARGETS=gpu npm run worker");
  expect(unservedWords(about("gpu", true))).toMatch(/names no model.*Name a model/i);
});

// How many places a worker may give to turns that its own turns make.
import { expect, test } from "vitest";
import type { Kernel } from "@/server/kernel/kernel";
import { createTaking, type Places } from "./taker";

function placesOf(more: Partial<Places> = {}) {
  let freed = 0;
  const active: object[] = [];
  const places: Places = {
    worker_id: "w",
    targets: ["*"],
    concurrency: 8,
    active: () => active.length,
    claiming: () => 0,
    isBehind: () => false,
    leaving: new AbortController().signal,
    begin: () => undefined,
    doubt: () => undefined,
    freed: () => freed++,
    ...more,
  };
  const taking = createTaking({} as Kernel, places);
  const { taker } = taking.kernel;
  if (!taker) throw new Error("a worker's kernel has no taker");
  return { taker, taking, active, freed: () => freed };
}

test("never more than are free, whoever else is given some meanwhile", () => {
  const { taker, taking, active, freed } = placesOf();
  active.push({}, {});
  expect([taker.reserve(4), taking.reserved()]).toEqual([4, 4]);
  expect([taker.reserve(4), taking.reserved()]).toEqual([2, 6]);
  expect(taker.reserve(1)).toBe(0);
  // Nor may a turn that goes on take a place that is kept.
  const turn = { worker_target: "x", needs_own_worker: false, is_kept: false };
  expect(taker.mayTake(turn)).toBe(false);
  expect(freed()).toBe(0);
  taker.release(4);
  expect([taker.mayTake(turn), taker.reserve(64), freed()]).toEqual([true, 4, 1]);
});

test("a claim that is under way may fill what it has asked for", () => {
  const { taker } = placesOf({ claiming: () => 6 });
  expect(taker.reserve(64)).toBe(2);
  const over = placesOf({ claiming: () => 6 });
  over.active.push({}, {}, {}, {});
  expect(over.taker.reserve(64)).toBe(0);
});

test("none while others may wait for a place, or the worker stops", () => {
  expect(placesOf({ isBehind: () => true }).taker.reserve(1)).toBe(0);
  expect(placesOf({ leaving: AbortSignal.abort() }).taker.reserve(1)).toBe(0);
});

test("it serves by the rule of a claim", () => {
  const star = placesOf().taker;
  const named = placesOf({ targets: ["x"] }).taker;
  const turn = { worker_target: "x", needs_own_worker: false, is_kept: false };
  expect([star.serves(turn), named.serves(turn)]).toEqual([true, true]);
  expect([star.serves({ ...turn, is_kept: true }), named.serves({ ...turn, is_kept: true })]).toEqual([false, true]);
  expect([star, named].map((one) => one.serves({ ...turn, needs_own_worker: true }))).toEqual([false, false]);
  expect(named.serves({ ...turn, worker_target: "y" })).toBe(false);
});

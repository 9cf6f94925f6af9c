// In a lane of an agent the wait of one turn stops where another turn of the agent is at work.
import { expect, test } from "vitest";
import { at, EPOCH, sampleTurn } from "../testing/sample-frames";
import { busyOf, freeWaits } from "./free-waits";

const first = sampleTurn("a", { created_at: at(0), started_at: at(1), ended_at: at(10) });
const second = sampleTurn("b", { created_at: at(2), started_at: at(15), ended_at: undefined, status: "running" });
const row = { id: "agent", turns: [first, second], orders: [0, 1] };
const moment = (n: number) => EPOCH + n * 1000;

test("work of the row, in order and without overlap", () => {
  expect(busyOf(row, moment(20))).toEqual([
    { from: moment(1), to: moment(10) },
    { from: moment(15), to: moment(20) },
  ]);
});

test("a queue line is drawn where the lane is free, and other bars are as they were", () => {
  const work = { from: moment(15), to: moment(20), kind: "work" as const };
  const queue = { from: moment(2), to: moment(15), kind: "queue" as const };
  const busy = busyOf(row, moment(20));
  expect(freeWaits([queue, work], busy)).toEqual([{ ...queue, from: moment(10) }, work]);
  expect(freeWaits([{ ...queue, from: moment(3), to: moment(9) }], busy)).toEqual([]);
  const early = { ...queue, from: moment(0) };
  expect(freeWaits([early], busy)).toEqual([
    { ...early, to: moment(1) },
    { ...early, from: moment(10) },
  ]);
});

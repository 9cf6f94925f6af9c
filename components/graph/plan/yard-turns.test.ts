// A run into which a second person has launched: two begin in it, and both stand at the left.
import { expect, test } from "vitest";
import { createPlan } from "@/components/ground/plan";
import { tidy } from "@/components/ground/tidy";
import { emptyPicture, fold } from "@/server/contract/frame";
import { sampleEdge, sampleTurn } from "../testing/sample-frames";
import { linksOf, placingsOf, turnsOf } from "./yard-turns";

const at = (n: number) => `2026-03-07T14:30:0${n}.000Z`;
const person = (id: string, n: number, more: object = {}) =>
  sampleTurn(id, {
    is_human: true,
    depth: 0,
    headcode: `0H0${n}`,
    primitive: "ui_action",
    root_turn_id: "p1",
    created_at: at(n * 2),
    ...more,
  });
const agent = (id: string, parent: string, n: number) =>
  sampleTurn(id, { parent_turn_id: parent, root_turn_id: "p1", created_at: at(n * 2 + 1) });

const picture = fold(emptyPicture(), [
  person("p1", 1),
  agent("t1", "p1", 1),
  sampleEdge("p1", "t1", { root_turn_id: "p1" }),
  person("p2", 2, { parent_turn_id: "p1" }),
  agent("t2", "p2", 2),
  sampleEdge("p2", "t2", { root_turn_id: "p1" }),
]);
const placings = placingsOf({ turns: turnsOf(picture, "p1"), links: linksOf(picture, "p1") }).placings;

test("nobody called the person who joined the run", () => {
  expect(placings.map(({ id, parent }) => [id, parent])).toEqual([
    ["p1", null],
    ["t1", "p1"],
    ["p2", null],
    ["t2", "p2"],
  ]);
});

test("both people stand in the first column, one below the other, live and tidied", () => {
  const live = createPlan();
  live.add(placings);
  for (const plan of [live, createPlan(tidy(placings, undefined))]) {
    const [first, second] = [plan.places.get("p1"), plan.places.get("p2")];
    expect([first?.col, second?.col]).toEqual([0, 0]);
    expect(second?.row).toBeGreaterThan(first?.row ?? 99);
  }
});

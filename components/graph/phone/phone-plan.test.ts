import { describe, expect, it } from "vitest";
import { createPlan, type Placing } from "@/components/ground/plan";
import { phoneChain, phoneDepths, phoneFrames, phoneRows, phoneTrack, phoneTrackY, phoneTrunkX } from "./phone-plan";

const turn = (id: string, parent: string | null, isInferred = false): Placing => ({
  id,
  parent,
  is_human: parent === null,
  is_inferred: isInferred,
});

describe("the plan of a phone", () => {
  it("lists callers above those they called, siblings in order", () => {
    const rows = rowsOf(turn("h", null), turn("p", "h"), turn("a", "p"), turn("b", "p"), turn("a1", "a"));
    expect(rows.map((row) => row.id)).toEqual(["h", "p", "a", "a1", "b"]);
    expect(rows.map((row) => row.level)).toEqual([0, 1, 2, 3, 2]);
    expect(rows.map((row) => row.above)).toEqual([-1, 0, 1, 2, 1]);
  });

  it("keeps a conversation on one trunk", () => {
    const rows = rowsOf(turn("h", null), turn("c0", "h", true), turn("c1", "c0", true), turn("c2", "c1", true));
    expect(rows.map((row) => row.level)).toEqual([0, 1, 1, 1]);
  });

  it("gives a batch a head and each lane a line, what a branch called with it, and says where its frame ends", () => {
    const plan = createPlan();
    plan.add([
      turn("h", null),
      turn("p", "h"),
      { ...turn("b", "p"), batch: { lanes: 3, is_folded: false } },
      { ...turn("b_2", "p"), lane: { batch_id: "b", task_index: 2, since: "" } },
      { ...turn("b_0", "p"), lane: { batch_id: "b", task_index: 0, since: "" } },
      turn("deep", "b_2"),
      turn("after", "p"),
    ]);
    const rows = phoneRows(plan.places, plan.blocks);
    expect(rows.map((row) => `${row.kind} ${row.id}`)).toEqual([
      "turn h",
      "turn p",
      "head b",
      "turn b_0",
      "lane b",
      "turn b_2",
      "turn deep",
      "turn after",
    ]);
    expect(rows.map((row) => row.level)).toEqual([0, 1, 2, 2, 2, 2, 3, 2]);
    const frames = phoneFrames(rows);
    expect(frames).toEqual([{ batch_id: "b", head: 2, last: 6, level: 2 }]);
    expect(phoneDepths(rows, frames)).toEqual([0, 0, 1, 1, 1, 1, 1, 0]);
  });

  it("draws from the trunk to the wagon, and the whole chain from the person", () => {
    const rows = rowsOf(turn("h", null), turn("p", "h"), turn("a", "p"), turn("b", "p"));
    expect(phoneTrack(rows, 3, 300).endsWith(`L300 ${phoneTrackY(3)}`)).toBe(true);
    const chain = phoneChain(rows, 3, 300);
    expect(chain.startsWith(`M${phoneTrunkX(1)} ${phoneTrackY(0) - 8}`)).toBe(true);
    expect(chain.endsWith(`L300 ${phoneTrackY(3)}`)).toBe(true);
    expect(chain).not.toContain("NaN");
  });
});

function rowsOf(...turns: Placing[]) {
  const plan = createPlan();
  plan.add(turns);
  return phoneRows(plan.places);
}

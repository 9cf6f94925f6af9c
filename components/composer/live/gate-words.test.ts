// How a gate of a run stands, with and without a policy.
import { describe, expect, it } from "vitest";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { type Fork, PlanShape } from "@/server/contract/plan/plan";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { arrivedWords, liveGate } from "./gate-words";

function forkOf(policy?: JoinPolicy): Fork {
  const tasks = ["a", "b", "c"].map((id) => ({ id, target: { ref: "P" }, instruction: id }));
  const gate = { fail_fast: false, ...(policy && { policy }) };
  const [node] = PlanShape.parse({ switchyard: "plan/1", nodes: [{ id: "all", kind: "fork", tasks, gate }] }).nodes;
  if (node?.kind !== "fork") throw new Error("no fork was read");
  return node;
}
const stand = (statuses: PlaceTurn["status"][], arrivals: string[] = [], late: string[] = []) =>
  ({
    turns: statuses.map((status, i) => ({ place: `all.${"abc"[i]}`, status })),
    gates: [{ node_id: "all", batch_id: "batch_1", arrivals, late }],
  }) as unknown as Pick<RunDrawing, "turns" | "gates">;

describe("a gate of a run", () => {
  it("without a policy counts all that have ended", () => {
    const gate = liveGate(forkOf(), { ...stand(["success", "failed", "running"]), gates: [] });
    expect(gate).toMatchObject({ arrived: 2, needed: 3 });
    expect(gate.marks.size).toBe(0);
    expect(arrivedWords(gate)).toBe("2 of 3 tasks have arrived");
  });

  it("with a quorum counts those that deliver, in the order of their arrival, and names who was late", () => {
    const seen = stand(["failed", "success", "running"], ["all.a", "all.b"], ["all.c"]);
    const gate = liveGate(forkOf({ kind: "quorum", k: 1 }), seen);
    expect(gate).toMatchObject({ arrived: 1, needed: 1, batch_id: "batch_1" });
    expect([...gate.marks]).toEqual([
      ["all.a", "did not count"],
      ["all.b", "counted, 1st"],
      ["all.c", "late"],
    ]);
    expect(arrivedWords(gate)).toBe("1 of 1 needed have arrived; the fork has 3 tasks");
  });

  it("counts what fails too where the policy says so", () => {
    const gate = liveGate(forkOf({ kind: "any", count: "ended" }), stand(["failed", "running", "running"], ["all.a"]));
    expect(gate).toMatchObject({ arrived: 1, needed: 1 });
    expect([...gate.marks]).toEqual([["all.a", "counted, 1st"]]);
  });
});

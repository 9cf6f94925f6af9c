// Two runs place by place, and what a change does to the words of a run.
import { describe, expect, it } from "vitest";
import { PlanShape } from "@/server/contract/plan/plan";
import type { PlanNodeStatus } from "@/server/contract/plan/plan-run";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { compareRuns } from "./comparison";
import { callerWords, forkedPlaces, livePlaces } from "./live-words";
import { refusalOf } from "./use-run-store";

const wagon = (id: string) => ({ id, kind: "wagon", target: { ref: "P" }, instruction: id });

function runOf(ids: string[], turns: Partial<PlaceTurn>[], statuses: PlanNodeStatus[], number = 1): RunDrawing {
  const { layout, ...body } = PlanShape.parse({ switchyard: "plan/1", nodes: ids.map(wagon) });
  return {
    run: {
      plan_run_id: `run_${number}`,
      parent_turn_id: `root_${number}`,
      root_turn_id: `root_${number}`,
      name: "",
      body_rev: 1,
      sha256: "",
      is_stepped: false,
      status: statuses.some((status) => status === "waiting" || status === "running") ? "running" : "success",
      rev: 1,
      created_at: "2026-11-01T10:00:00.000Z",
      ended_at: "2026-11-01T10:00:30.000Z",
      body,
      layout,
      nodes: ids.map((node_id, i) => ({
        plan_run_id: `run_${number}`,
        node_id,
        status: statuses[i] ?? "success",
        try: 1,
        headcodes: [],
        turns: [],
        rev: 1,
      })),
    },
    run_number: number,
    turns: turns.map((turn, i) => ({
      place: ids[i] ?? "",
      agent_turn_id: `turn_${number}_${i}`,
      headcode: `1P0${i + 1}`,
      status: "success",
      context_consist: "",
      context_tokens: 0,
      output_consist: "",
      output_tokens: 0,
      tokens_in: 10,
      tokens_out: 5,
      ...turn,
    })),
    gates: [],
    added: [],
    forks: [],
    edits: [],
    live_cursor: "0",
  };
}

describe("two runs of one lineage", () => {
  const first = runOf(["a", "b", "gone"], [{ cost: 0.1 }, { cost: 0.2 }, {}], []);
  const second = runOf(
    ["a", "b", "fresh"],
    [{ agent_turn_id: "turn_1_0", as_in_run: 1 }, { agent_turn_id: "other" }, {}],
    [],
    2,
  );

  it("a recorded result is the same, what ran again is not, and what only one has is named", () => {
    const { places } = compareRuns(second, first);
    expect(places.map(({ place, verdict }) => [place, verdict])).toEqual([
      ["a", "same"],
      ["b", "changed"],
      ["fresh", "here"],
      ["gone", "there"],
    ]);
  });

  it("a result that was taken over to another place is told there, and once", () => {
    const moved = runOf(["renamed", "b"], [{ agent_turn_id: "turn_1_0", as_in_run: 1 }, {}], [], 2);
    const { places } = compareRuns(moved, runOf(["a", "b"], [{}, {}], []));
    expect(places.map(({ place, verdict }) => [place, verdict])).toEqual([
      ["renamed", "same"],
      ["b", "changed"],
    ]);
  });

  it("counts what each run took itself: a recorded result cost it nothing", () => {
    const { here, there } = compareRuns(second, first);
    expect(here).toMatchObject({ turns: 2, tokens: 30, cost: null });
    expect(there).toMatchObject({ turns: 3, tokens: 45, ms: 30_000 });
    expect(there.cost).toBeCloseTo(0.3);
  });
});

describe("a run that is changed", () => {
  const run = runOf(["done", "next"], [{}], ["success", "waiting"]);
  const set = (node: string) => [{ op: "set" as const, node, path: "/instruction", value: "Other." }];

  it("takes what waits, and refuses what is packed, in words", () => {
    expect(refusalOf(run, "edit", set("next"))).toBeNull();
    expect(refusalOf(run, "edit", set("done"))).toBe("done is packed. Stop or fork it, or change what comes after.");
    expect(refusalOf(run, "fork", set("done"))).toBeNull();
  });

  it("a fork keeps the inputs of its run", () => {
    const inputs = [{ op: "set" as const, path: "/inputs/0/default", value: "x" }];
    expect(refusalOf(run, "fork", inputs)).toContain("keeps the inputs of its run");
    expect(refusalOf(run, "fork", [{ op: "set" as const, path: "/name", value: "x" }])).toBeNull();
  });

  it("what runs again stands without its turn, what is recorded keeps it and says so", () => {
    const places = forkedPlaces(
      livePlaces(run),
      new Map([
        ["done", { place: "done", verdict: "replayed", reason: "as in run 1" }],
        ["next", { place: "next", verdict: "runs", reason: "it was changed" }],
      ]),
      1,
    );
    expect(places.get("done")).toMatchObject({ words: "as in run 1", turn: { headcode: "1P01" } });
    expect(places.get("next")).toMatchObject({ words: "runs: it was changed", isOpen: true });
  });

  it("says who called what nobody drew", () => {
    const added = {
      agent_turn_id: "t",
      headcode: "2R01",
      name: "R",
      status: "success" as const,
      context_consist: "",
      output_consist: "",
    };
    expect(callerWords(run, { ...added, caller_turn_id: "turn_1_0" })).toBe("1P01 called it");
    expect(callerWords(run, added)).toBe("a person added it");
    expect(callerWords(run, { ...added, caller_turn_id: "elsewhere" })).toBe("called by a turn of this run");
  });
});

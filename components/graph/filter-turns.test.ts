import { describe, expect, it } from "vitest";
import { filterTurns } from "./filter-turns";
import { groupStatuses, runStats } from "./run-stats";
import { sampleTurn } from "./testing/sample-frames";

const turns = [
  sampleTurn("a", { headcode: "1P01", profile_name: "Principal_Planner", title: "Plan it", status: "suspended" }),
  sampleTurn("b", { headcode: "2S04", title: "Thermal storage", status: "running" }),
  sampleTurn("c", {
    headcode: "2S05",
    title: "Hydrogen",
    status: "failed",
    error_code: "tool_timeout",
    error: "fetch_url did not answer",
  }),
  sampleTurn("d", { headcode: "2W01", profile_name: "import:WebSurfer", title: "Look it up", status: "success" }),
];
const found = (q: string, statuses: Parameters<typeof filterTurns>[1]["statuses"] = []) => {
  const matches = filterTurns(turns, { q, statuses });
  return matches && [...matches];
};

describe("the filter", () => {
  it("finds by headcode, profile, title, error and the words of a status", () => {
    expect(found("2s04")).toEqual(["b"]);
    expect(found("planner")).toEqual(["a"]);
    expect(found("websurfer")).toEqual(["d"]);
    expect(found("thermal")).toEqual(["b"]);
    expect(found("tool_timeout")).toEqual(["c"]);
    expect(found("did not answer")).toEqual(["c"]);
    expect(found("waiting")).toEqual(["a"]);
    expect(found("failed")).toEqual(["c"]);
  });

  it("wants every word", () => {
    expect(found("search running")).toEqual(["b"]);
    expect(found("search hydrogen running")).toEqual([]);
  });

  it("keeps to the statuses that are chosen", () => {
    expect(found("", ["failed", "running"])).toEqual(["b", "c"]);
    expect(found("hydrogen", ["running"])).toEqual([]);
  });

  it("answers nothing to do when nothing is asked", () => {
    expect(found("  ")).toBeNull();
  });
});

describe("the run in one line", () => {
  it("counts every turn once, a person's too, and what they hold", () => {
    const person = sampleTurn("h", { is_human: true, status: "success" });
    const stats = runStats([person, ...turns]);
    expect(stats).toMatchObject({
      done: 2,
      running: 1,
      waiting: 1,
      failed: 1,
      canceled: 0,
      tokens: 40_000,
      cost: null,
    });
    expect(runStats([sampleTurn("x", { cost: 0.5 }), ...turns]).cost).toBe(0.5);
  });

  it("has a group for every status", () => {
    expect(Object.values(groupStatuses).flat().sort()).toHaveLength(9);
  });
});

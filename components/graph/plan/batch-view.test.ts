import { describe, expect, it } from "vitest";
import { clockText } from "@/components/domain/clock-text";
import { laneKey } from "@/components/ground/route-tracks";
import { emptyPicture, type Frame, fold, type Picture } from "@/server/contract/frame";
import {
  awaitedBatchWords,
  awaitedWords,
  branchWords,
  heldWords,
  leftMs,
  parallelWords,
  progressWords,
  spokenBatch,
} from "../batch-words";
import { lampsOf } from "../canvas/batch-shapes";
import { filterTurns } from "../filter-turns";
import { createLivePicture } from "../live/live-picture";
import { branchOf, forkedRun, sampleBatch, sampleTask } from "../testing/sample-batches";
import { at, EPOCH, sampleEdge, sampleTurn } from "../testing/sample-frames";
import { type BatchView, batchViews } from "./batch-view";
import { belowOf } from "./below";
import { drawTracks } from "./draw-tracks";
import { FOLD_ABOVE, foldedOf, wished } from "./folds";
import { createYardModel } from "./yard-model";

const demo = () => forkedRun(["success", "success", "success", "running", "failed"]);

describe("a batch in the yard", () => {
  it("counts what was delivered, what is out and what is held back", () => {
    const view = viewOf([...forkedRun(["success", "running", null, "failed"], { max_parallel: 2 })]);
    expect(view.counts).toEqual({ delivered: 1, out: 1, held: 1, failed: 1, canceled: 0 });
    expect(view.lanes.map((lane) => lane.status)).toEqual(["success", "running", "queued", "failed"]);
    expect(progressWords(view)).toBe("1 of 4");
    expect(awaitedWords(view)).toBe("1 still running, 1 held back");
    expect(parallelWords(view.batch)).toBe("2 at once");
    expect(spokenBatch(view)).toBe(
      "B1, fork of 4, running, 1 of 4 delivered, 1 still running, 1 held back, 1 failed, waits for all, 2 at once",
    );
    expect(awaitedBatchWords(new Map([["b1", view]]), "t1")).toBe("Waiting for B1, 1 still running, 1 held back");
    expect(branchWords(view, 3)).toBe("task 4 of 4 of B1");
  });

  it("keeps the object of a batch in which nothing changed", () => {
    const first = picture(demo());
    const views = batchViews(first, new Map());
    const other = fold(first, [sampleTurn("elsewhere", { created_at: "2026-03-07T15:00:00.000Z" })]);
    expect(batchViews(other, views)).toBe(views);
    const later = fold(
      other,
      branchOf("t1", sampleBatch("b1"), 3, "success").map((f) => ({ ...f, rev: 2 })) as Frame[],
    );
    expect(batchViews(later, views).get("b1")).not.toBe(views.get("b1"));
  });

  it("is numbered within its run, where it has a frame", () => {
    const views = batchViews(
      picture([
        sampleBatch("x", { created_at: "2026-03-07T14:30:00.000Z" }),
        sampleBatch("y", { created_at: "2026-03-07T14:29:00.000Z" }),
        sampleBatch("z", { root_turn_id: "other" }),
        sampleBatch("question", { tool_name: "ask_expert", created_at: "2026-03-07T14:28:00.000Z" }),
      ]),
      new Map(),
    );
    expect([...views.values()].map((view) => `${view.batch.batch_id} ${view.name}`)).toEqual([
      "x B2",
      "y B1",
      "z B1",
      "question Ask",
    ]);
  });

  it("says what a held back task waits for, and why one was never sent", () => {
    const { batch } = viewOf(demo());
    expect(heldWords(sampleTask("b1", 1), batch, EPOCH)).toBe("waits for a slot");
    const due = new Date(EPOCH + 3_400).toISOString();
    expect(heldWords(sampleTask("b1", 1, { attempt_count: 2, next_retry_at: due }), batch, EPOCH)).toBe(
      "retry in 4 s, try 3",
    );
    expect(heldWords(sampleTask("b1", 1, { status: "failed", error: "no such agent" }), batch, EPOCH)).toBe(
      "no such agent",
    );
    expect(heldWords(sampleTask("b1", 1), { ...batch, status: "canceled" }, EPOCH)).toBe("never sent");
  });

  it("counts down to its deadline", () => {
    const { batch } = viewOf(demo());
    expect(clockText(leftMs(batch, EPOCH + 193_000) ?? 0)).toBe("11:47");
    expect(clockText(3_729_000)).toBe("1:02:09");
    expect(leftMs({ ...batch, status: "success" }, EPOCH)).toBeNull();
    expect(leftMs(batch, EPOCH + 10_000_000)).toBe(0);
  });

  it("shows the worst of what shares a lane at the gate", () => {
    const statuses = Array.from({ length: 24 }, (_, i) => (i === 13 ? ("failed" as const) : ("success" as const)));
    const lamps = lampsOf(viewOf(forkedRun(statuses)), 12);
    expect(lamps).toHaveLength(12);
    expect(lamps[1]).toBe("failed");
    expect(lamps[0]).toBe("success");
  });

  it("is found by its name", () => {
    const run = picture(demo());
    const views = batchViews(run, new Map());
    const found = filterTurns([...run.turn.values()], {
      q: "b1 running",
      statuses: [],
      batchOf: (id) => views.get(id),
    });
    expect(found && [...found]).toEqual(["b1_3"]);
  });
});

describe("tracks at a gate", () => {
  it("are travelled by what was delivered, reserved for what is out, and end at a red buffer without a deliverable", () => {
    const drawing = drawn(demo());
    const count = (path: string, mark: string) => path.split(mark).length - 1;
    // Into the gate from three lanes; the one that failed ends before it.
    expect(count(drawing.redBuffers, "M")).toBe(2);
    expect(drawing.occupied).not.toBe("");
    const joined = drawn(forkedRun(["success", "success"], { status: "success" }));
    expect(joined.reserved).toBe("");
    const canceled = drawn(forkedRun(["success", "canceled"], { status: "canceled" }));
    expect(canceled.reserved).not.toBe("");
  });

  it("wait in every lane that has no turn", () => {
    const model = modelOf(forkedRun(["running", null, null]));
    const { routes } = model.getTopology();
    expect(routes.has(laneKey("b1", 1))).toBe(true);
    expect(routes.has(laneKey("b1", 0))).toBe(false);
  });

  it("run both ways to an expert that is asked", () => {
    const ask = sampleBatch("q", { tool_name: "ask_expert", task_count: 1 });
    const base = forkedRun([]).slice(0, 3);
    const asked = drawn([...base, ask, ...branchOf("t1", ask, 0, "running")]);
    const answered = drawn([...base, { ...ask, status: "success" }, ...branchOf("t1", ask, 0, "success")]);
    expect(asked.reserved).not.toBe("");
    expect(answered.reserved).toBe("");
    // One chevron leads there, one back.
    expect(answered.chevrons.length).toBeGreaterThan(asked.chevrons.length);
    expect(modelOf([...base, ask]).getTopology().blocks.size).toBe(0);
  });
});

describe("a folded batch", () => {
  it("is one wagon by a person's wish, and by itself when it is very large", () => {
    const [small, large] = [sampleBatch("s"), sampleBatch("l", { task_count: FOLD_ABOVE + 1 })];
    expect([...foldedOf([small, large], [])]).toEqual(["l"]);
    expect([...foldedOf([small, large], wished([], "s", false, true))]).toEqual(["s", "l"]);
    expect([...foldedOf([small, large], wished([], "l", true, false))]).toEqual([]);
    expect(wished(wished([], "l", true, false), "l", true, true)).toEqual([]);
    expect([...foldedOf([small, large], ["all"])]).toEqual(["s", "l"]);
    expect([...foldedOf([small, large], wished(["all"], "s", false, false))]).toEqual(["l"]);
    expect(wished(["none", "l"], "l", true, false)).toEqual(["none"]);
  });

  it("hides its branches and what they called, keeps them in the lists, and unfolds to the same places", () => {
    const frames = [...demo(), sampleTurn("deep", { parent_turn_id: "b1_3", created_at: "2026-03-07T14:29:30.000Z" })];
    const live = liveOf(frames);
    const open = createYardModel(live, "t0");
    const folded = createYardModel(live, "t0", ["b1"]);
    expect([...folded.getTopology().places.keys()]).toEqual(["t0", "t1"]);
    expect(folded.getTopology().routes.has("b1")).toBe(true);
    expect(folded.getTurns()).toHaveLength(open.getTurns().length);
    expect(open.getTopology().places.has("deep")).toBe(true);
    expect(folded.getTopology().bounds.w).toBeLessThan(open.getTopology().bounds.w);
  });
});

describe("a branch that was retried", () => {
  const again = [
    sampleTurn("b1_4x", {
      parent_turn_id: "t1",
      primitive: "fork_join",
      batch_id: "b1",
      task_index: 4,
      status: "running",
      headcode: "2S06",
      created_at: at(60),
    }),
    sampleEdge("t1", "b1_4x", { primitive: "fork_join", created_at: at(60) }),
  ];
  it("is shown by its newest turn; the earlier one stands beside the frame", () => {
    const fresh = modelOf([...demo(), ...again]);
    expect(fresh.getBatches().get("b1")?.lanes[4]?.turn?.headcode).toBe("2S06");
    expect(fresh.getBatches().get("b1")?.counts).toMatchObject({ out: 2, failed: 0 });
    expect(fresh.getTopology().blocks.get("b1")?.turns[4]).toBe("b1_4x");
    expect(fresh.getTopology().places.get("b1_4")?.block).toBeNull();
  });
  it("counts as held back while it waits for room, though its failed turn still stands there", () => {
    const held = sampleTask("b1", 4, { rev: 9, status: "pending", attempt_count: 1 });
    const view = viewOf([...demo(), held]);
    expect([view.lanes[4]?.status, view.lanes[4]?.turn?.status]).toEqual(["queued", "failed"]);
    expect(view.counts).toMatchObject({ held: 1, failed: 0 });
    const { lanes } = viewOf([...demo(), held, { ...held, rev: 10, status: "dispatched" as const }, ...again]);
    expect(lanes[4]?.status).toBe("running");
  });
  it("takes its lane over when that is seen live", () => {
    const live = liveOf(demo());
    const model = createYardModel(live, "t0");
    expect(model.getTopology().blocks.get("b1")?.turns[4]).toBe("b1_4");
    live.receive(again, "c2");
    expect([...model.getTopology().places]).toEqual([...modelOf([...demo(), ...again]).getTopology().places]);
  });
});

describe("what a stop would meet", () => {
  it("is everything below that has not ended, the batches that run, and the batch above", () => {
    const frames = [
      ...forkedRun(["running", "success", null]),
      sampleTurn("deep", { parent_turn_id: "b1_1", status: "running" }),
    ];
    const run = picture(frames);
    const views = batchViews(run, new Map());
    const boss = belowOf(run, views, run.turn.get("t1") ?? sampleTurn("x"));
    expect(boss.below.map((turn) => turn.agent_turn_id)).toEqual(["b1_0", "deep"]);
    expect(boss.running.get("b1")?.held).toBe(1);
    expect(boss.branchOf).toBeNull();
    const branch = belowOf(run, views, run.turn.get("b1_0") ?? sampleTurn("x"));
    expect(branch.branchOf).toMatchObject({ name: "B1", caller: "1P01", others: ["success", "pending"] });
  });
});

function picture(frames: readonly Frame[]): Picture {
  return fold(emptyPicture(), frames);
}

function viewOf(frames: readonly Frame[]): BatchView {
  const view = batchViews(picture(frames), new Map()).get("b1");
  if (!view) throw new Error("b1 is not there");
  return view;
}

function liveOf(frames: readonly Frame[]) {
  const live = createLivePicture({ now: () => EPOCH, soon: (run) => run(), later: () => () => {} });
  live.load(frames, "c");
  return live;
}

const modelOf = (frames: readonly Frame[]) => createYardModel(liveOf(frames), "t0");

function drawn(frames: readonly Frame[]) {
  const run = picture(frames);
  const model = modelOf(frames);
  const { places, routes, blocks } = model.getTopology();
  return drawTracks({
    places: [...places.values()],
    routes: [...routes.values()],
    blocks: [...blocks.values()],
    turnOf: (id) => run.turn.get(id),
    edgeOf: () => undefined,
    batchOf: (id) => model.getBatches().get(id),
    rowOf: (id) => places.get(id)?.row,
  });
}

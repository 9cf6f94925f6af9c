import { describe, expect, it } from "vitest";
import { emptyPicture, type Frame, fold } from "@/server/contract/frame";
import { createLivePicture } from "../live/live-picture";
import { createYardModel } from "../plan/yard-model";
import { at, EPOCH, sampleEdge, sampleTurn } from "../testing/sample-frames";
import { createThenModel } from "./then-model";
import { createThenPicture, thenOf } from "./then-picture";

const clock = { now: () => EPOCH, soon: (run: () => void) => run(), later: () => () => {} };
const root = sampleTurn("t0", { depth: 0, created_at: at(0), ended_at: at(90) });
const first = sampleTurn("t1", { depth: 1, parent_turn_id: "t0", created_at: at(5), ended_at: at(40) });
const second = sampleTurn("t2", { depth: 1, parent_turn_id: "t0", created_at: at(50), ended_at: at(80) });
const frames: Frame[] = [
  root,
  first,
  second,
  sampleEdge("t0", "t1", { created_at: at(5) }),
  sampleEdge("t0", "t2", { created_at: at(50) }),
];
const history = frames.flatMap((frame) =>
  "created_at" in frame && frame.created_at !== undefined ? [{ at: Date.parse(frame.created_at), frame }] : [],
);

function opened() {
  const live = createLivePicture(clock);
  live.load(frames, "c");
  const base = createYardModel(live, "t0");
  let left = 0;
  const picture = createThenPicture(live, clock, () => left++);
  const show = (seconds: number) =>
    picture.show(thenOf(live.getPicture(), "t0", history, EPOCH + seconds * 1000), EPOCH + seconds * 1000);
  return { live, base, picture, show, model: createThenModel(base, picture.live), leftTimes: () => left };
}

describe("the yard of another moment", () => {
  it("shows what was there, where it stands now", () => {
    const { base, model, show } = opened();
    show(10);
    expect(model.getTopology().order).toEqual(["t0", "t1"]);
    expect([...model.getTopology().places.keys()]).toEqual(["t0", "t1"]);
    expect(model.getTopology().places.get("t1")).toBe(base.getTopology().places.get("t1"));
    expect(model.getTopology().bounds).toBe(base.getTopology().bounds);
    expect([...model.getTopology().routes.keys()]).toEqual(["t1"]);
    show(60);
    expect(model.getTopology().order).toEqual(["t0", "t1", "t2"]);
    show(-1);
    expect(model.getTurns()).toEqual([]);
  });

  it("tells exactly those who look at something that is otherwise then", () => {
    const { picture, show } = opened();
    show(60);
    const told: string[] = [];
    for (const id of ["t1", "t2"]) picture.live.subscribeEntity("turn", id, () => told.push(id));
    show(10);
    expect(told).toEqual(["t2"]);
  });

  it("stands still at its moment, counts what comes meanwhile, and leads back", () => {
    const { live, picture, show, leftTimes } = opened();
    live.pause();
    show(10);
    expect(picture.live.getState().paused_at).toBe(EPOCH + 10_000);
    expect(picture.live.getState()).toBe(picture.live.getState());
    live.receive([{ ...second, rev: 9 }], "d");
    expect(picture.live.getState().new_count).toBe(1);
    expect(picture.live.getPicture().turn.has("t2")).toBe(false);
    picture.live.resume();
    expect(leftTimes()).toBe(1);
  });

  it("keeps the other runs and the project of now", () => {
    const run = { kind: "run" as const, rev: 1, number: 1, title: "", source: "launch" as const, metadata: {} };
    const base = fold(emptyPicture(), [
      { ...run, id: "t0", root_turn_id: "t0", created_at: at(0) },
      { ...run, id: "r9", root_turn_id: "r9", number: 2, created_at: at(1) },
    ]);
    expect([...thenOf(base, "t0", history, EPOCH).run.keys()].sort()).toEqual(["r9", "t0"]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyPicture, type Frame, fold } from "@/server/contract/frame";
import { sampleEdge, sampleTurn } from "../testing/sample-frames";
import { CAUGHT_UP_MS, createLivePicture, type LiveClock } from "./live-picture";

describe("the live picture", () => {
  it("folds what came within one frame of the screen at once", () => {
    const { live, clock } = started();
    let shows = 0;
    live.subscribe(() => shows++);
    live.receive([sampleTurn("a")], "c1");
    live.receive([sampleTurn("a", { rev: 2, note: "second" })], "c2");
    expect(live.getPicture().turn.get("a")).toBeUndefined();
    clock.frame();
    expect(live.getPicture().turn.get("a")?.note).toBe("second");
    expect(shows).toBe(1);
    expect(live.getCursor()).toBe("c2");
  });

  it("ends at the same picture however snapshot and stream overlap, repeat or come late", () => {
    const all = fc.array(
      fc.record({ id: fc.constantFrom("a", "b", "c"), rev: fc.integer({ min: 1, max: 9 }) }).map((f) => turnOf(f)),
      { maxLength: 30 },
    );
    void fc.assert(
      fc.property(all, all, fc.array(fc.boolean(), { maxLength: 30 }), (snapshot, stream, flushes) => {
        const { live, clock } = started();
        live.load(snapshot, "c0");
        for (const [i, frame] of stream.entries()) {
          live.receive([frame], `c${i}`);
          if (flushes[i]) clock.frame();
          if (i % 5 === 0) live.load(snapshot, "ignored");
        }
        clock.frame();
        const expected = fold(fold(emptyPicture(), snapshot), stream);
        expect([...live.getPicture().turn.values()].map(short).sort()).toEqual(
          [...expected.turn.values()].map(short).sort(),
        );
      }),
    );
  });

  it("tells only those who look at what changed", () => {
    const { live, clock } = started();
    const told: string[] = [];
    live.load([sampleTurn("a"), sampleTurn("b")], "c0");
    live.subscribeEntity("turn", "a", () => told.push("a"));
    live.subscribeEntity("turn", "b", () => told.push("b"));
    live.receive([sampleTurn("b", { rev: 2 })], "c1");
    clock.frame();
    live.receive([sampleTurn("b", { rev: 2 })], "c1");
    clock.frame();
    expect(told).toEqual(["b"]);
  });

  it("collects while it is paused and catches up on resume", () => {
    const { live, clock } = started();
    live.load([sampleTurn("a", { status: "running" })], "c0");
    clock.time = 5_000;
    live.pause();
    live.receive([sampleTurn("a", { rev: 2, status: "success" }), sampleTurn("b"), sampleEdge("a", "b")], "c1");
    clock.frame();
    live.receive([sampleTurn("b", { rev: 2 })], "c2");
    clock.frame();
    expect(live.getPicture().turn.get("a")?.status).toBe("running");
    expect(live.getState()).toMatchObject({ paused_at: 5_000, new_count: 3 });
    live.resume();
    expect(live.getPicture().turn.get("a")?.status).toBe("success");
    expect(live.getPicture().turn.get("b")?.rev).toBe(2);
    expect(live.getState()).toMatchObject({ paused_at: null, new_count: 0 });
  });

  it("forgets what a snapshot after a reset does not hold, even while paused", () => {
    const { live } = started();
    live.load([sampleTurn("a"), sampleTurn("gone")], "c0");
    live.pause();
    live.reset([sampleTurn("a", { rev: 7 })], "c9");
    expect(live.getPicture().turn.has("gone")).toBe(true);
    live.resume();
    expect(live.getPicture().turn.has("gone")).toBe(false);
    expect(live.getCursor()).toBe("c9");
  });

  it("moves the cursor with the stream only, so that a later snapshot of another run leaves no gap", () => {
    const { live } = started();
    live.load([sampleTurn("a")], "c0");
    live.load([sampleTurn("b", { root_turn_id: "other" })], "c5");
    expect(live.getCursor()).toBe("c0");
  });

  it("lets a handover move only when it is live and seen", () => {
    const { live, clock } = started();
    const moved: string[] = [];
    live.subscribeArrivals((ids) => moved.push(...ids));
    live.load([sampleTurn("a"), sampleEdge("a", "old")], "c0");
    live.setStatus("catching_up");
    live.receive([sampleEdge("a", "missed")], "c1");
    clock.frame();
    clock.pass(CAUGHT_UP_MS);
    expect(live.getState().status).toBe("live");
    live.receive([sampleEdge("a", "seen"), sampleEdge("a", "old")], "c2");
    clock.frame();
    live.pause();
    live.receive([sampleEdge("a", "hidden")], "c3");
    clock.frame();
    expect(moved).toEqual(["e_seen"]);
  });

  it("is caught up only after the stream has been quiet for a moment", () => {
    const { live, clock } = started();
    live.setStatus("catching_up");
    clock.pass(CAUGHT_UP_MS - 10);
    live.receive([sampleTurn("a")], "c1");
    clock.pass(CAUGHT_UP_MS - 10);
    expect(live.getState().status).toBe("catching_up");
    clock.pass(10);
    expect(live.getState().status).toBe("live");
  });

  it("stays cut when it was cut while catching up", () => {
    const { live, clock } = started();
    live.setStatus("catching_up");
    live.setStatus("cut");
    clock.pass(CAUGHT_UP_MS * 2);
    expect(live.getState().status).toBe("cut");
  });
});

function started() {
  const clock = handClock();
  return { live: createLivePicture(clock), clock };
}

type HandClock = LiveClock & { time: number; frame: () => void; pass: (ms: number) => void };

function handClock(): HandClock {
  let soon: (() => void)[] = [];
  let later: { at: number; run: () => void }[] = [];
  const clock: HandClock = {
    time: 0,
    now: () => clock.time,
    soon: (run) => soon.push(run),
    later(run, ms) {
      const entry = { at: clock.time + ms, run };
      later.push(entry);
      return () => {
        later = later.filter((other) => other !== entry);
      };
    },
    frame() {
      const due = soon;
      soon = [];
      for (const run of due) run();
    },
    pass(ms) {
      clock.time += ms;
      const due = later.filter((entry) => entry.at <= clock.time);
      later = later.filter((entry) => entry.at > clock.time);
      for (const { run } of due) run();
    },
  };
  return clock;
}

const turnOf = ({ id, rev }: { id: string; rev: number }): Frame => sampleTurn(id, { rev, note: `rev ${rev}` });
const short = (turn: { id: string; rev: number; note?: string }): string => `${turn.id} ${turn.rev} ${turn.note}`;

import { describe, expect, it } from "vitest";
import { at, EPOCH, sampleTurn } from "../testing/sample-frames";
import { countUntil, momentsOf, stepped } from "./moments";
import { playedTo } from "./playback";

const playing = { pace: "4" as const, moments: [0, 1_000, 9_000], idle: [], end: 9_000 };

describe("playback", () => {
  it("goes as fast as it is asked to, and ends at the end", () => {
    expect(playedTo(1_000, 100, playing)).toBe(1_400);
    expect(playedTo(1_000, 100, { ...playing, pace: "64" })).toBe(7_400);
    expect(playedTo(8_900, 100, playing)).toBe(9_000);
  });

  it("skips what is cut", () => {
    expect(playedTo(1_900, 100, { ...playing, idle: [{ from: 2_000, to: 8_000 }] })).toBe(8_000);
    expect(playedTo(5_000, 100, { ...playing, idle: [{ from: 2_000, to: 8_000 }] })).toBe(8_000);
  });

  it("by event stops at each, and then at the end", () => {
    const byEvent = { ...playing, pace: "event" as const };
    expect(playedTo(0, 700, byEvent)).toBe(1_000);
    expect(playedTo(1_000, 700, byEvent)).toBe(9_000);
    expect(playedTo(9_000, 700, { ...byEvent, end: 9_500 })).toBe(9_500);
  });
});

describe("the moments of a run", () => {
  it("are those at which something changed: a heartbeat is none", () => {
    const turn = sampleTurn("a", { rev: 1, status: "running" });
    const frames = [
      { at: 1, frame: turn },
      { at: 2, frame: { ...turn, rev: 2, heartbeat_at: at(9) } },
      { at: 3, frame: { ...turn, rev: 3, status: "success" as const } },
    ];
    const history = { source: "journal" as const, root_turn_id: "t0", read_at: at(0), is_whole: true, frames };
    expect(momentsOf(history, [])).toEqual([1, 3]);
    expect(momentsOf({ ...history, is_whole: false, frames: [] }, [turn])).toEqual([
      EPOCH,
      EPOCH + 1_000,
      EPOCH + 30_000,
    ]);
  });

  it("are walked one by one, from on them and from between them", () => {
    const moments = [10, 20, 30];
    expect([countUntil(moments, 9), countUntil(moments, 20), countUntil(moments, 99)]).toEqual([0, 2, 3]);
    expect([stepped(moments, 20, 1), stepped(moments, 20, -1)]).toEqual([30, 10]);
    expect([stepped(moments, 25, 1), stepped(moments, 25, -1)]).toEqual([30, 20]);
    expect([stepped(moments, 30, 1), stepped(moments, 10, -10)]).toEqual([30, 10]);
  });
});

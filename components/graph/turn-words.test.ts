import { describe, expect, it } from "vitest";
import { runStats } from "./run-stats";
import { at, EPOCH, sampleTurn } from "./testing/sample-frames";
import {
  elapsedMs,
  endedWithoutDeliverable,
  neverReturns,
  noteOf,
  phoneLabel,
  spanWords,
  spokenTurn,
} from "./turn-words";

describe("the words of a turn", () => {
  it("says what it does, how it ended, or why it waits", () => {
    expect(noteOf(sampleTurn("a", { note: "fetch_url, try 2 of 3" }))).toBe("fetch_url, try 2 of 3");
    expect(noteOf(sampleTurn("a", { note: undefined, title: "Thermal" }))).toBe("Thermal");
    expect(noteOf(sampleTurn("a", { status: "failed", note: "thinking", error: "no answer" }))).toBe("no answer");
    expect(noteOf(sampleTurn("a", { status: "dispatched" }))).toBe("Waiting for a worker");
    expect(noteOf(sampleTurn("a", { note: "**Plan** with `SKIP LOCKED`" }))).toBe("Plan with SKIP LOCKED");
    expect(noteOf(sampleTurn("a", { note: "# Findings" }))).toBe("Findings");
  });

  it("is spoken with its window, and with the mark of an import", () => {
    const turn = sampleTurn("a", { headcode: "2S04", status: "running", sent_tokens: 14_400 });
    expect(spokenTurn(turn)).toBe("2S04, Associate_Search, running, 45 percent of window");
    const marked = { ...turn, mark: { kind: "mistake" as const, card_id: "c", reason: "r" }, sent_tokens: undefined };
    expect(spokenTurn(marked)).toBe("2S04, Associate_Search, running, named as the mistake");
    expect(spokenTurn({ ...turn, window_tokens: undefined })).toBe(
      "2S04, Associate_Search, running, 14,400 tokens sent, window unknown",
    );
  });

  it("counts whole seconds while it runs and the true time when it has ended", () => {
    expect(elapsedMs(sampleTurn("a", { started_at: at(1), ended_at: at(3.25) }), 0)).toBe(2_250);
    const running = sampleTurn("a", { status: "running", started_at: at(1), ended_at: undefined });
    expect(elapsedMs(running, EPOCH + 4_900)).toBe(3_000);
    expect(elapsedMs(running, EPOCH)).toBe(0);
    expect(elapsedMs(sampleTurn("a", { status: "canceled", started_at: undefined }), EPOCH)).toBeNull();
  });

  it("knows which turns never return and which ended without a deliverable", () => {
    expect(neverReturns(sampleTurn("a"))).toBe(true);
    expect(neverReturns(sampleTurn("a", { primitive: "ask_expert" }))).toBe(false);
    expect(neverReturns(sampleTurn("a", { profile_name: "import:WebSurfer" }))).toBe(false);
    expect(endedWithoutDeliverable(sampleTurn("a", { status: "timeout" }))).toBe(true);
    expect(endedWithoutDeliverable(sampleTurn("a", { status: "partial" }))).toBe(false);
    expect(endedWithoutDeliverable(sampleTurn("a", { status: "partial", profile_name: "import:X" }))).toBe(true);
  });

  it("names a turn on a phone by who it is, and a branch by its task", () => {
    const more = { profile_name: "Search", title: "**Iron-air** first" };
    expect(phoneLabel(sampleTurn("a", more))).toBe("Search");
    expect(phoneLabel(sampleTurn("a", { ...more, primitive: "fork_join", task_index: 2 }))).toBe("Iron-air first");
    expect(phoneLabel(sampleTurn("a", { ...more, title: "", primitive: "fork_join", task_index: 2 }))).toBe("Search");
  });

  it("says in words what the tones of a bar show", () => {
    const bar = (from: number, to: number, kind: "model" | "tool" | "wait" | "work") => ({ from, to, kind });
    expect(spanWords([bar(0, 12_000, "model"), bar(12_000, 15_500, "tool"), bar(15_500, 15_520, "wait")])).toBe(
      "model 12s, tools 3.5s",
    );
    expect(spanWords([bar(0, 12_000, "work")])).toBeNull();
  });

  it("sums what is priced, and counts what is not", () => {
    const used = { tokens_in: 10, tokens_out: 2 };
    expect(
      runStats([
        sampleTurn("a", { ...used, cost: 0.5 }),
        sampleTurn("b", used),
        sampleTurn("c", { tokens_in: 0, tokens_out: 0 }),
      ]),
    ).toMatchObject({
      cost: 0.5,
      unpriced: 1,
    });
    expect(runStats([sampleTurn("b", used)]).cost).toBeNull();
  });
});

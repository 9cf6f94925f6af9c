import { describe, expect, it } from "vitest";
import type { Card, CardContent } from "@/server/contract/card";
import type { TurnFrame } from "@/server/contract/frame";
import { beatOf, deliverableView, originCounts, ranMs, stepLines, troubleOf, turnTitle } from "./turn-view";

const T0 = Date.parse("2026-03-07T14:28:00.000Z");
const at = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

describe("a turn in the inspector", () => {
  it("is called by its profile, a person by name", () => {
    expect(turnTitle(turn({ profile_name: "import:WebSurfer" }))).toBe("WebSurfer");
    expect(turnTitle(turn({ is_human: true, agent_id: "human_mara" }))).toBe("mara");
  });

  it("ran from its start to its end, or to now", () => {
    expect(ranMs(turn({ started_at: at(2), ended_at: at(7), status: "success" }), T0 + 60_000)).toBe(5_000);
    expect(ranMs(turn({ started_at: at(2) }), T0 + 12_000)).toBe(10_000);
    expect(ranMs(turn({ status: "canceled" }), T0)).toBeNull();
  });

  it("has a beat only while it runs, and a late one is said to be late", () => {
    const running = turn({ heartbeat_at: at(0) });
    expect(beatOf(running, T0 + 4_000)).toEqual({ ageMs: 4_000, isLate: false });
    expect(beatOf(running, T0 + 40_000)?.isLate).toBe(true);
    expect(beatOf(turn({ status: "success", heartbeat_at: at(0) }), T0 + 4_000)).toBeNull();
  });

  it("counts the cards of its context by origin, in reading order", () => {
    expect(
      originCounts([
        { origin: "box:a", cards: 3, tokens: 10 },
        { origin: "arg:instruction", cards: 1, tokens: 10 },
        { origin: "box:b", cards: 2, tokens: 10 },
        { origin: "ptr", cards: 1, tokens: 10 },
      ]),
    ).toEqual([
      { kind: "inherited", cards: 5 },
      { kind: "packed", cards: 1 },
      { kind: "pointer", cards: 1 },
    ]);
  });

  it("names the act of each step", () => {
    const lines = stepLines(
      [
        step({ ordinal: 1, status: "completed", note: "search_index 8 hits", ended_at: at(10) }),
        step({ ordinal: 2, status: "failed", error: "tool_timeout after 3 tries", ended_at: at(20) }),
        step({ ordinal: 3, status: "failed", error: "the archive did not answer", ended_at: at(30) }),
        step({ ordinal: 4, status: "started" }),
      ],
      T0 + 47_000,
    );
    expect(lines.map((line) => [line.act, line.rest, line.status, line.ms])).toEqual([
      ["search_index", "8 hits", "success", 10_000],
      ["tool_timeout", "after 3 tries", "failed", 20_000],
      ["", "the archive did not answer", "failed", 30_000],
      ["model", "", "running", 47_000],
    ]);
  });

  it("shows fields as fields and everything else as it stands", () => {
    const fields = {
      kind: "json",
      data: {
        fields: [
          { name: "summary", value: "Yes" },
          { name: "n", value: 3 },
        ],
      },
    } satisfies CardContent;
    expect(deliverableView(card(fields))).toMatchObject({
      kind: "fields",
      fields: [
        { name: "summary", value: "Yes" },
        { name: "n", value: "3" },
      ],
    });
    expect(deliverableView(card({ kind: "text", text: "Done." }, { is_fallback: true }))).toEqual({
      kind: "text",
      text: "Done.",
      isFallback: true,
    });
  });

  it("says what is wrong and what helps", () => {
    const waiting = turn({ status: "dispatched", worker_target: "gpu" });
    expect(troubleOf(waiting, T0, { is_served: false, needs_own_worker: false })).toMatchObject({
      cause: "No worker takes turns for `gpu`.",
      command: "npm run worker",
    });
    // Nothing is said before it is known.
    for (const taker of [undefined, { is_served: true, needs_own_worker: true }])
      expect(troubleOf(waiting, T0, taker)).toBeNull();
    const own = troubleOf(waiting, T0, { is_served: false, needs_own_worker: true });
    expect(own?.cause).toContain("names no model");
    expect(own?.command).toBeUndefined();
    expect(troubleOf(turn({ heartbeat_at: at(0) }), T0 + 40_000, undefined)?.cause).toContain("40s");
    expect(
      troubleOf(turn({ status: "failed", error_code: "tool_timeout", error: "no answer" }), T0, undefined),
    ).toMatchObject({
      title: "The tool did not answer within its time.",
      cause: "no answer",
      remedy: expect.stringContaining("timeout_seconds"),
      code: "tool_timeout",
    });
    const failed = (error_code: string) =>
      troubleOf(turn({ status: "failed", error_code, error: "why" }), T0, undefined);
    // Both said the wrong thing or nothing: a missing key was explained as a policy, and no steps left had no remedy.
    expect(failed("model_auth_failed")?.remedy).toMatch(/key/);
    expect(failed("model_auth_failed")?.remedy).not.toMatch(/delegation_policy/);
    expect(failed("max_steps_reached")?.remedy).toMatch(/max_steps/);
    expect(failed("of_a_foreign_tool")).toEqual({ title: "of_a_foreign_tool", cause: "why" });
    expect(troubleOf(turn({ status: "success" }), T0, undefined)).toBeNull();
  });
});

function turn(over: Partial<TurnFrame>): TurnFrame {
  return {
    kind: "turn",
    id: "t",
    rev: 1,
    agent_turn_id: "t",
    agent_id: "as-e862",
    profile_name: "Associate_Search",
    worker_target: "worker_generic",
    is_human: false,
    status: "running",
    turn_epoch: 1,
    attempt: 1,
    root_turn_id: "r",
    primitive: "delegate_async",
    depth: 2,
    trace_id: "x",
    headcode: "2S04",
    title: "Thermal",
    profile_box_id: "p",
    context_box_id: "c",
    step_count: 0,
    context_cards: 0,
    context_tokens: 0,
    context_consist: "",
    output_cards: 0,
    output_tokens: 0,
    output_consist: "",
    window_tokens: 32_000,
    tokens_in: 0,
    tokens_out: 0,
    created_at: at(0),
    ...over,
  };
}

function step(over: {
  ordinal: number;
  status: "started" | "completed" | "failed";
  note?: string;
  error?: string;
  ended_at?: string;
}) {
  return { step_id: `s${over.ordinal}`, agent_turn_id: "t", tool_call_ids: [], started_at: at(0), ...over };
}

function card(content: CardContent, metadata: Record<string, unknown> = {}): Card {
  return {
    card_id: "c",
    project_id: "p",
    type: "task.deliverable",
    role: "assistant",
    author_id: "a",
    content,
    metadata,
    content_hash: "h",
    token_count: 1,
    created_at: at(0),
  };
}

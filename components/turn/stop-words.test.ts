import { describe, expect, it } from "vitest";
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import { type BranchOf, type StopInput, scopeLabels, stopPlan, stoppedWords } from "./stop-words";

const at = "2026-03-07T14:28:00.000Z";
const none: StopInput["running"] = new Map();

describe("before a turn is stopped", () => {
  it("says how it ends, and that nothing written is lost", () => {
    const plan = stopPlan({ turn: turn("a"), below: [], running: none, branchOf: null }, "turn");
    expect(plan).toMatchObject({ stops: 1, leaves: 0 });
    expect(plan.lines[0]).toBe("2Sa ends as canceled. Switchyard writes a deliverable that says it was stopped.");
    expect(plan.lines.at(-1)).toContain("are kept");
  });

  it("takes with it what it waits for, however deep, and leaves what it only called", () => {
    const running = new Map([
      ["b1", { batch: batch("b1", "a"), name: "B1", held: 1 }],
      ["b2", { batch: batch("b2", "a1"), name: "B2", held: 0 }],
    ]);
    const below = [
      turn("a1", { parent_turn_id: "a", batch_id: "b1", status: "suspended" }),
      turn("a2", { parent_turn_id: "a", batch_id: "b1" }),
      turn("a11", { parent_turn_id: "a1", batch_id: "b2" }),
      turn("c", { parent_turn_id: "a" }),
    ];
    const input = { turn: turn("a", { status: "suspended" }), below, running, branchOf: null };
    const one = stopPlan(input, "turn");
    expect(one).toMatchObject({ stops: 4, leaves: 1 });
    expect(one.lines).toContain(
      "B1 ends as canceled with 2Sa, and no turn resumes. 2 branches still running are stopped. 1 task held back is never sent.",
    );
    expect(one.lines.some((line) => line.startsWith("B2 ends"))).toBe(true);
    expect(one.lines).toContain("1 turn below that it does not wait for goes on.");
    const all = stopPlan(input, "subtree");
    expect(all).toMatchObject({ stops: 5, leaves: 0 });
    expect(scopeLabels({ turn: one, subtree: all })).toEqual({
      turn: "With its running branches (4)",
      subtree: "With all turns below it (5)",
    });
    expect(scopeLabels({ turn: { ...one, stops: 1 }, subtree: all }).turn).toBe("This turn (1)");
    expect(all.lines).toContain("1 turn below that it does not wait for is stopped too.");
  });

  it("says what becomes of the batch it is a branch of", () => {
    expect(branch(["success", "running", "pending"])).toBe(
      "B1 continues without it: 2 still open, and it can close as partial at best.",
    );
    expect(branch(["success", "failed"])).toBe(
      "B1 has no other open branches: it closes as partial, and 1P01 resumes.",
    );
    expect(branch(["failed", "timeout"])).toContain("closes as failed");
    expect(branch(["running"], { fail_fast: true })).toBe(
      "B1 uses fail fast and closes as failed, its 1 other branch is stopped, and 1P01 resumes.",
    );
    expect(branch([], { tool_name: "ask_expert", task_count: 1 })).toContain("told that there is none");
  });

  it("lets a person's turn go without a deliverable of its own", () => {
    const plan = stopPlan({ turn: turn("h", { is_human: true }), below: [], running: none, branchOf: null }, "turn");
    expect(plan.lines[0]).toContain("The person gets no result");
  });

  it("tells what it did", () => {
    expect(stoppedWords(turn("a"), ["a"])).toBe("2Sa is stopped");
    expect(stoppedWords(turn("a"), ["a", "b", "c"])).toBe("2Sa is stopped, and 2 turns with it");
    expect(stoppedWords(turn("a"), [])).toContain("had ended before");
  });
});

function branch(others: BranchOf["others"], over: Partial<BatchFrame> = {}): string {
  const input: StopInput = {
    turn: turn("a", { batch_id: "b1", task_index: 0 }),
    below: [],
    running: none,
    branchOf: { batch: batch("b1", "p", over), name: "B1", caller: "1P01", others },
  };
  return stopPlan(input, "turn").lines.at(-2) ?? "";
}

function batch(id: string, parent: string, over: Partial<BatchFrame> = {}): BatchFrame {
  return {
    kind: "batch",
    id,
    batch_id: id,
    rev: 1,
    tool_name: "fork_join",
    root_turn_id: "r",
    parent_agent_id: "agent",
    parent_agent_turn_id: parent,
    parent_tool_call_id: "tc",
    task_count: 3,
    fail_fast: false,
    status: "running",
    created_at: at,
    ...over,
  };
}

function turn(id: string, over: Partial<TurnFrame> = {}): TurnFrame {
  return {
    kind: "turn",
    id,
    rev: 1,
    agent_turn_id: id,
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
    headcode: `2S${id}`,
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
    created_at: at,
    ...over,
  };
}

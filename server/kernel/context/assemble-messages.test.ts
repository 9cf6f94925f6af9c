// What the model sees, on plain cards.
import { describe, expect, test } from "vitest";
import type { Card, CardContent, Role } from "@/server/contract/card";
import { defaultRole } from "@/server/contract/card";
import type { DelegationFacts } from "@/server/contract/delegation-context";
import { ProfileBody } from "@/server/contract/profile";
import { renderer } from "../provenance/renderer";
import { type AssembleInput, assembleMessages } from "./assemble-messages";

const facts = (name: string): DelegationFacts => ({
  schema_version: 1,
  parent_turn_id: "turn_1",
  root_turn_id: "turn_0",
  origin: "human",
  depth: 2,
  caller: { agent_id: "solver_1", name, is_human: false },
  chain: [{ agent_id: "solver_1", name }],
  target: { agent_id: "observer_1", name: "observer" },
  has_env_data: false,
});

function card(card_id: string, type: string, content: string | CardContent, more: Partial<Card> = {}): Card {
  const role: Role = more.role ?? defaultRole(type);
  const made = typeof content === "string" ? ({ kind: "text", text: content } as const) : content;
  return {
    card_id,
    project_id: "p",
    type,
    role,
    author_id: "a",
    content: made,
    metadata: { type, role, author_id: "a" },
    content_hash: "h",
    token_count: 3,
    created_at: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}
const json = (data: unknown): CardContent => ({ kind: "json", data: data as never });

const assemble = (more: Partial<AssembleInput>) =>
  assembleMessages({
    body: ProfileBody.parse({ name: "observer", system_prompt: "You are {display_name}." }),
    level: "standard",
    agent: { agent_id: "observer_1" },
    memory: [],
    context: [],
    output: [],
    renderer,
    ...more,
  });
const shown = (more: Partial<AssembleInput>) => assemble(more).messages.map((m) => `${m.role}: ${m.text}`);

describe("a long output of a tool", () => {
  const result = (text: string) => card("r1", "tool.result", { kind: "tool_result", status: "success", result: text });
  const cut = (text: string) => assemble({ output: [result(text)] }).messages[0];

  test("is shown as its beginning and its end, and says how much is missing and where it is", () => {
    const text = `START ${"x".repeat(60_000)} END`;
    const message = cut(text);
    expect(message?.text).toMatch(
      /START x+\n\n\[\d+ of 60012 characters are left out here, from 12001 to \d+\. The whole output is card r1\. .*\]\n\nx+ END"$/,
    );
    expect(message?.text.length).toBeLessThan(20_500);
    expect(message?.tokens).not.toBe(3);
    expect(cut(text)).toEqual(message);
  });
  test("is not cut if it is short, and never within a character", () => {
    expect(cut("y".repeat(19_998))?.text).toBe(`"${"y".repeat(19_998)}"`);
    for (const lead of ["", "z"])
      expect(() => encodeURIComponent(cut(`${lead}${"\u{1F682}".repeat(20_000)}`)?.text ?? "")).not.toThrow();
  });
  test("text of people and agents is never cut", () => {
    const text = "w".repeat(60_000);
    expect(shown({ output: [card("t", "agent.thought", text)] })).toEqual([`assistant: ${text}`]);
  });
});

describe("messages", () => {
  test("memory, context, own output; the first occurrence of a card wins", () => {
    const a = card("a", "task.instruction", "1+1");
    const b = card("b", "task.deliverable", "2");
    const c = card("c", "task.instruction", "2+3");
    const d = card("d", "agent.thought", "let me see");
    const messages = shown({ memory: [a, b], context: [b, a, c], output: [d, c] });
    expect(messages).toEqual(["user: 1+1", "assistant: 2", "user: 2+3", "assistant: let me see"]);
  });
  test("text about the conversation is not a message of it, except for the reminder", () => {
    const context = [
      card("p", "meta.parent_pointer", json({ parent_agent_id: "x" })),
      card("f", "task.result_fields", { kind: "fields_schema", fields: [{ name: "a", description: "the a" }] }),
      card("s", "sys.rendered_prompt", "old"),
      card("i", "task.instruction", "go"),
      card("r", "sys.must_end_with_required", "call submit_result"),
    ];
    expect(shown({ context })).toEqual(["user: go", "user: call submit_result"]);
  });
  test("the role is the card's, never the author's; json is compact", () => {
    const own = card("x", "task.context", json({ a: 1 }), { role: "system", author_id: "human_ann" });
    expect(shown({ context: [own] })).toEqual(['system: {"a":1}']);
  });
  test("a result is compact JSON too: text in quotation marks, an error as it is", () => {
    const output = [
      card("r", "tool.result", { kind: "tool_result", status: "success", result: { hits: [{ id: 1 }, { id: 2 }] } }),
      card("e", "tool.result", { kind: "tool_result", status: "failed", error: { code: "not_found", message: "no" } }),
    ];
    expect(shown({ output })).toEqual([
      'tool: {"hits":[{"id":1},{"id":2}]}',
      'tool: {"code":"not_found","message":"no"}',
    ]);
  });
  test("a partial answer is never sent: not to its own agent, and not to one that it is handed to", () => {
    const half = card("h", "agent.thought", "Seven ships and", { metadata: { is_partial: true } });
    const task = card("i", "task.instruction", "Count again.");
    const writer = { agent_id: "x", name: "X", profile: "X" };
    expect(shown({ memory: [half], context: [task], output: [half] })).toEqual(["user: Count again."]);
    const handed = assemble({ context: [half, task], background: new Map([["h", writer]]) });
    expect([handed.messages.map((m) => m.text), handed.card_ids]).toEqual([["Count again."], ["i"]]);
  });
  test("calls are sent with the thought that made them, results answer them", () => {
    const call = { id: "tc_1", type: "function", function: { name: "think", arguments: "{}" } };
    const output = [
      card("t", "agent.thought", "I think", { tool_calls: [call] }),
      card("c", "tool.call", { kind: "tool_call", tool_name: "think", arguments: {} }, { tool_call_id: "tc_1" }),
      card(
        "r",
        "tool.result",
        { kind: "tool_result", status: "success", result: { ok: true } },
        { tool_call_id: "tc_1" },
      ),
    ];
    const { messages, card_ids } = assemble({ output });
    expect(messages.map((m) => [m.role, m.tool_calls, m.tool_call_id])).toEqual([
      ["assistant", [call], undefined],
      ["tool", undefined, "tc_1"],
    ]);
    expect(card_ids).toEqual(["t", "r"]);
  });
  test("a call whose thought was not handed over is sent alone", () => {
    const context = [
      card("c", "tool.call", { kind: "tool_call", tool_name: "search", arguments: { q: 1 } }, { tool_call_id: "tc_9" }),
    ];
    expect(assemble({ context }).messages[0]).toMatchObject({
      role: "assistant",
      tool_calls: [{ id: "tc_9", type: "function", function: { name: "search", arguments: '{"q":1}' } }],
    });
  });
  test("a tombstone keeps its place and its answer to a call", () => {
    const context = [
      card("a", "task.context", "x", { content: null, gone: "deleted" }),
      card("b", "tool.result", "x", { content: null, gone: "expired", tool_call_id: "tc_1" }),
    ];
    const { messages } = assemble({ context });
    expect(messages.map((m) => [m.text, m.tool_call_id])).toEqual([
      ["[content deleted]", undefined],
      ["[content expired]", "tc_1"],
    ]);
  });
  test("a deleted call is still a call, so that its result has one", () => {
    const gone = { content: null, gone: "deleted" as const, tool_call_id: "tc_1" };
    const context = [card("a", "tool.call", "x", gone), card("b", "tool.result", "found", { tool_call_id: "tc_1" })];
    const { messages } = assemble({ context });
    expect(messages.map((m) => [m.role, m.text, m.tool_call_id])).toEqual([
      ["assistant", "[content deleted]", undefined],
      ["tool", "found", "tc_1"],
    ]);
    expect(messages[0]?.tool_calls).toEqual([
      { id: "tc_1", type: "function", function: { name: "content_deleted", arguments: "{}" } },
    ]);
  });
  test("every message names its cards", () => {
    const out = assemble({ context: [card("i", "task.instruction", "go")] });
    expect(out.messages.flatMap((m) => m.card_ids)).toEqual(out.card_ids);
  });
});

describe("delegation context", () => {
  const context = [
    card("h", "agent.thought", "history"),
    card("f", "meta.delegation_context", json(facts("solver"))),
    card("i", "task.instruction", "What do you notice?"),
    card("p", "meta.parent_pointer", json({})),
  ];
  test("stands in front of the instruction it belongs to, and nowhere else", () => {
    const [history, instruction] = assemble({ context }).messages;
    expect(history?.text).toBe("history");
    expect(instruction?.text).toMatch(
      /^---\n\[Delegation Context\]\nCalled by: solver\n[\s\S]*\n---\n\nWhat do you notice\?$/,
    );
    expect(instruction?.card_ids).toEqual(["f", "i"]);
    expect(instruction?.tokens).toBeGreaterThan(30);
  });
  test("73, 100 [preamble] of several only the newest is sent; the stored instruction stays unchanged", () => {
    const memory = [
      card("f0", "meta.delegation_context", json(facts("old"))),
      card("i0", "task.instruction", "before"),
    ];
    const messages = assemble({ memory, context }).messages;
    expect(messages.map((m) => m.text.includes("[Delegation Context]"))).toEqual([false, false, true]);
    expect(messages[0]?.text).toBe("before");
    expect(messages[2]?.text).toContain("Called by: solver");
  });
  test("71 [preamble] an opted-out receiver is told nothing; facts of another shape are not sent either", () => {
    expect(assemble({ context, level: "off" }).messages[1]?.text).toBe("What do you notice?");
    const forged = context.map((c) =>
      c.card_id === "f" ? card("f", "meta.delegation_context", json({ caller: "me" })) : c,
    );
    expect(assemble({ context: forged }).messages[1]?.text).toBe("What do you notice?");
  });
});

describe("facts that the branches of a fork share", () => {
  const { schema_version: _version, target: _target, ...common } = facts("solver");
  const shared = card(
    "f",
    "meta.delegation_context",
    json({
      ...common,
      schema_version: 2,
      target: { name: "observer" },
      batch: { batch_id: "b", task_count: 4 },
      targets: [0, 1, 3].map((n) => ({ agent_id: `a${n}`, task_index: n, instruction_card_id: `i${n}` })),
    }),
  );
  const told = (agent_id: string, instruction: Card) =>
    assemble({ level: "verbose", agent: { agent_id }, context: [shared, instruction] }).messages[0]?.text;
  const alone = (task_index: number | undefined, instruction: Card) => {
    const own = { ...facts("solver"), ...(task_index !== undefined && { batch: { task_index, task_count: 4 } }) };
    return assemble({ level: "verbose", context: [card("f", "meta.delegation_context", json(own)), instruction] })
      .messages[0]?.text;
  };
  const task = (card_id: string, more: object = {}) => {
    const made = card(card_id, "task.instruction", "Look.");
    return { ...made, metadata: { ...made.metadata, ...more } };
  };

  test("each branch is sent what a card of its own would say, word for word", () => {
    for (const n of [0, 1, 3]) expect(told(`a${n}`, task(`i${n}`))).toBe(alone(n, task(`i${n}`)));
    expect(told("a3", task("i3"))).toContain("Batch: task 4 of 4");
  });
  test("the task tells it, also for an agent of several tasks, for another agent, and for another text in its place", () => {
    expect(told("a0", task("i3"))).toContain("Batch: task 4 of 4");
    expect(told("rerun", task("i1"))).toContain("Batch: task 2 of 4");
    expect(told("rerun", task("edited", { stands_for: "i1" }))).toContain("Batch: task 2 of 4");
    expect(told("a1", task("unknown"))).toContain("Batch: task 2 of 4");
  });
  test("a reader that is not in the list is told everything but a number", () => {
    expect(told("stranger", task("unknown"))).toBe(alone(undefined, task("unknown")));
    expect(told("stranger", task("unknown"))).not.toContain("Batch:");
  });
});

describe("system prompt", () => {
  test("the profile's, then the system context, then the required fields", () => {
    const context = [
      card("f", "task.result_fields", { kind: "fields_schema", fields: [{ name: "sum", description: "the sum" }] }),
    ];
    const { system } = assemble({ context, agent: { agent_id: "observer_1", display_name: "Eye" } });
    expect(system.startsWith("You are Eye.\n\n## System Context\n")).toBe(true);
    expect(system).toContain("- sum: the sum");
    expect(system.indexOf("## Required result fields")).toBeGreaterThan(system.indexOf("## System Context"));
  });
  test("system_prompt_template wins over system_prompt, the context's fields over the profile's", () => {
    const body = ProfileBody.parse({
      name: "x",
      system_prompt: "no",
      system_prompt_template: "yes {{ok}}",
      result_fields: [{ name: "own", description: "d" }],
    });
    expect(assemble({ body }).system).toMatch(/^yes \{ok\}/);
    expect(assemble({ body }).system).toContain("- own: d");
    const context = [
      card("f", "task.result_fields", { kind: "fields_schema", fields: [{ name: "sum", description: "s" }] }),
    ];
    expect(assemble({ body, context }).system).not.toContain("- own: d");
  });
});

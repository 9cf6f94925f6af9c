import { describe, expect, test } from "vitest";
import type { Card } from "@/server/contract/card";
import { type ForkPlanInput, planFork } from "./plan-fork";

const card = (card_id: string, type: string, more: Partial<Card> = {}): Card => ({
  card_id,
  project_id: "p",
  type,
  role: type === "tool.result" ? "tool" : type.startsWith("task.") ? "user" : "assistant",
  author_id: "a",
  content: { kind: "text", text: card_id },
  metadata: { step_id: "s1", agent_turn_id: "t" },
  content_hash: "",
  token_count: 1,
  created_at: "",
  ...more,
});
const result = (card_id: string, call: string): Card =>
  card(card_id, "tool.result", {
    tool_call_id: call,
    content: { kind: "tool_result", status: "failed", error: { code: "x", message: "y" } },
  });
const calling = (card_id: string, ids: string[], text: string): Card =>
  card(card_id, "agent.thought", {
    content: { kind: "text", text },
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
  });
const call = (card_id: string, id: string): Card =>
  card(card_id, "tool.call", { tool_call_id: id, content: { kind: "tool_call", tool_name: "f", arguments: {} } });

const cards = [
  card("facts", "meta.delegation_context"),
  card("instruction", "task.instruction"),
  calling("thought", ["c1", "c2"], ""),
  call("call1", "c1"),
  call("call2", "c2"),
  result("result1", "c1"),
  result("result2", "c2"),
  card("said", "agent.thought"),
];
const plan = (input: Partial<ForkPlanInput<Card>>) =>
  planFork({
    ordinal: 3,
    request_ids: new Set(["prompt", "facts", "instruction", "thought", "result1", "result2", "said"]),
    cards,
    instruction_card_id: "instruction",
    replace: [],
    drop: [],
    newCallId: () => "new",
    ...input,
  });
const places = (input: Partial<ForkPlanInput<Card>>) =>
  plan(input).items.map((item) => (item.fresh ? `${item.card.card_id}*` : item.card.card_id));

describe("planFork", () => {
  test("nothing changed: every card by reference", () => {
    expect(places({})).toEqual(cards.map((one) => one.card_id));
  });
  test("a call and its result go together, whichever is named", () => {
    const left = ["facts", "instruction", "thought*", "call2", "result2", "said"];
    expect(places({ drop: ["result1"] })).toEqual(left);
    expect(places({ drop: ["call1"] })).toEqual(left);
    expect(plan({ drop: ["call1"] }).followed).toEqual(["result1"]);
  });
  test("dropping a thought drops all its calls; dropping its last call drops a thought without text", () => {
    expect(places({ drop: ["thought"] })).toEqual(["facts", "instruction", "said"]);
    expect(places({ drop: ["result1", "result2"] })).toEqual(["facts", "instruction", "said"]);
  });
  test("a thought with text stays without its calls", () => {
    const spoken = cards.map((one) => (one.card_id === "thought" ? calling("thought", ["c1", "c2"], "hm") : one));
    const { items } = plan({ cards: spoken, drop: ["result1", "result2"] });
    const thought = items.find((item) => item.card.card_id === "thought")?.fresh;
    expect(thought).toMatchObject({ content: { kind: "text", text: "hm" }, metadata: { replaces: "thought" } });
    expect(thought?.tool_calls).toBeUndefined();
  });
  test("a plain thought is dropped alone", () => {
    expect(places({ drop: ["said"] })).toEqual(cards.slice(0, -1).map((one) => one.card_id));
  });
  test("a replaced result belongs to a call with a new id, and counts as a success", () => {
    const { items } = plan({ replace: [{ card_id: "result1", with: "found it" }] });
    const fresh = (id: string) => items.find((item) => item.card.card_id === id)?.fresh;
    expect(fresh("result1")).toMatchObject({
      tool_call_id: "new",
      content: { kind: "tool_result", status: "success", result: "found it" },
      metadata: { replaces: "result1", step_id: "s1" },
    });
    expect(fresh("result1")?.metadata).not.toHaveProperty("agent_turn_id");
    expect(fresh("call1")).toMatchObject({ tool_call_id: "new" });
    expect(fresh("thought")?.tool_calls).toMatchObject([{ id: "new" }, { id: "c2" }]);
    expect(fresh("call2")).toBeUndefined();
  });
  test("one result replaced and the other dropped", () => {
    const { items, followed } = plan({ replace: [{ card_id: "result1", with: "x" }], drop: ["result2"] });
    expect(followed).toEqual(["call2"]);
    expect(items.find((item) => item.card.card_id === "thought")?.fresh?.tool_calls).toMatchObject([{ id: "new" }]);
  });
  test("another instruction stands for the one that was handed over, through all that came between", () => {
    const { items } = plan({ replace: [{ card_id: "instruction", with: "look" }] });
    const [, fresh] = items.map((item) => item.fresh);
    expect(fresh?.metadata).toMatchObject({ replaces: "instruction", stands_for: "instruction" });
    const second = card("second", "task.instruction", { metadata: { ...fresh?.metadata } });
    const again = plan({
      cards: [second],
      request_ids: new Set(["second"]),
      replace: [{ card_id: "second", with: "look again" }],
    });
    expect(again.items[0]?.fresh?.metadata).toMatchObject({ replaces: "second", stands_for: "instruction" });
  });
  test("a thought replaced keeps its calls", () => {
    const { items } = plan({ replace: [{ card_id: "thought", with: "I call" }] });
    expect(items.find((item) => item.card.card_id === "thought")?.fresh).toMatchObject({
      content: { kind: "text", text: "I call" },
      tool_calls: [{ id: "c1" }, { id: "c2" }],
    });
  });
  test.each([
    ["a card that was not sent", { drop: ["nothing"] }, /drop\.0: card nothing is not in the request of step 3/],
    ["the facts of a delegation", { drop: ["facts"] }, /written by Switchyard/],
    ["the system prompt", { replace: [{ card_id: "prompt", with: "x" }] }, /replace\.0: .*written by Switchyard/],
    ["the instruction left out", { drop: ["instruction"] }, /is the instruction/],
    ["a call retold", { replace: [{ card_id: "call1", with: "x" }] }, /is a call that was made/],
    ["twice", { drop: ["said"], replace: [{ card_id: "said", with: "x" }] }, /named twice/],
    ["nothing in its place", { replace: [{ card_id: "said", with: "  " }] }, /is empty/],
    [
      "content of another kind",
      { replace: [{ card_id: "said", with: { kind: "tool_result" as const, status: "success" as const } }] },
      /is a tool_result/,
    ],
  ])("%s is refused", (_, input, message) => {
    expect(() => plan(input)).toThrow(message);
  });
});

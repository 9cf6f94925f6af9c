import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelMessage } from "./model";
import { NO_RESULT } from "./order-messages";
import { toPrompt } from "./to-prompt";

const speaker = { provider: "anthropic", model: "m" };
const call = (id: string, more: object = {}) => ({
  id,
  type: "function",
  function: { name: "t", arguments: "{}" },
  ...more,
});

/** Roles, with what makes them differ. */
const told = (messages: ModelMessage[], system = "") =>
  toPrompt({ system, messages }, speaker).map((message) => {
    if (message.role === "system") return `system ${message.content}`;
    const parts = message.content.map((part) => {
      if (part.type === "text" || part.type === "reasoning") return part.text;
      if (part.type === "tool-call") return `call ${part.toolCallId}`;
      if (part.type === "tool-result" && part.output.type === "text") return `${part.toolCallId}=${part.output.value}`;
      return part.type;
    });
    return `${message.role} ${parts.join("|")}`;
  });

test("system messages come first or become user messages", () => {
  expect(
    told(
      [
        { role: "system", text: "more" },
        { role: "user", text: "hi" },
        { role: "system", text: "late" },
        { role: "user", text: "" },
      ],
      "prompt",
    ),
  ).toEqual(["system prompt\n\nmore", "user hi", "user [system]\nlate", "user (empty)"]);
});

test("results follow their calls, each call has one, and a result without a call becomes a user message", () => {
  expect(
    told([
      { role: "user", text: "go" },
      { role: "tool", text: "early", tool_call_id: "c" },
      { role: "assistant", text: "", tool_calls: [call("a"), call("b")] },
      { role: "user", text: "by the way" },
      { role: "tool", text: "B", tool_call_id: "b" },
      { role: "tool", text: "A", tool_call_id: "a" },
      { role: "tool", text: "A again", tool_call_id: "a" },
      { role: "tool", text: "whose?", tool_call_id: "z" },
      { role: "assistant", text: "", tool_calls: [call("c"), call("d")] },
    ]),
  ).toEqual([
    "user go",
    "assistant call a|call b",
    "tool a=A|b=B",
    "user by the way",
    "user [result of a tool call]\nA again",
    "user [result of a tool call]\nwhose?",
    "assistant call c|call d",
    `tool c=early|d=${NO_RESULT}`,
  ]);
});

test("empty answers are left out, answers in a row are one, and an assistant neither begins nor ends", () => {
  expect(
    told([
      { role: "assistant", text: "before" },
      { role: "user", text: "hi" },
      { role: "assistant", text: " \n" },
      { role: "assistant", text: "one" },
      { role: "assistant", text: "two", tool_calls: [call("a")] },
      { role: "assistant", text: "end" },
    ]),
  ).toEqual([
    "user (Your earlier work follows.)",
    "assistant before",
    "user hi",
    "assistant one|two|call a",
    `tool a=${NO_RESULT}`,
    "assistant end",
    "user (Go on.)",
  ]);
  expect(told([])).toEqual(["user (Your earlier work follows.)"]);
});

const state = (parts: unknown[], over = {}) => ({ ...speaker, ...over, parts });
const thought = { kind: "reasoning", text: "hm", metadata: { anthropic: { signature: "s" } } };

test("data that a model needs back is sent only to that model, in its order, while the text is unchanged", () => {
  const parts = [thought, { kind: "text", length: 2 }, { kind: "call" }, { kind: "text", length: 1 }];
  const said = (model_state: unknown, text = "abc"): ModelMessage[] => [
    { role: "user", text: "hi" },
    { role: "assistant", text, tool_calls: [call("k", { provider_call_id: "toolu_1" })], model_state },
  ];
  expect(told(said(state(parts)))[1]).toBe("assistant hm|ab|call toolu_1|c");
  expect(told(said(state(parts, { model: "other" })))[1]).toBe("assistant abc|call k");
  expect(told(said(state(parts), "a redacted text"))[1]).toBe("assistant a redacted text|call k");
  expect(told(said("nonsense"))[1]).toBe("assistant abc|call k");
});

test("ids that a provider gave twice, or that another would refuse, are not restored", () => {
  const said = (id: string, theirs: string): ModelMessage => ({
    role: "assistant",
    text: "",
    tool_calls: [call(id, { provider_call_id: theirs })],
    model_state: state([{ kind: "call" }]),
  });
  expect(
    told([
      { role: "user", text: "x" },
      said("k1", "same"),
      said("k2", "same"),
      said("k3", "a b"),
      said("k4", "own"),
    ])[1],
  ).toBe("assistant call k1");
  const ids = told([
    { role: "user", text: "x" },
    said("k1", "same"),
    said("k2", "same"),
    said("k3", "a.b"),
    said("k4", "own"),
  ]);
  expect(ids.filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant call k1",
    "assistant call k2",
    "assistant call k3",
    "assistant call own",
  ]);
});

test("Kimi's thinking models get a thought with every call", () => {
  const messages: ModelMessage[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", tool_calls: [call("a")] },
    { role: "tool", text: "A", tool_call_id: "a" },
    { role: "assistant", text: "so" },
    { role: "user", text: "on" },
  ];
  const kinds = (model: string) =>
    toPrompt({ system: "", messages }, { provider: "moonshot", model }).flatMap(({ role, content }) =>
      role === "assistant" ? [content.map((part) => part.type)] : [],
    );
  expect(kinds("kimi-k2.5")).toEqual([["reasoning", "tool-call"], ["text"]]);
  expect(kinds("kimi-k2-thinking")).toEqual(kinds("kimi-k2.5"));
  expect(kinds("kimi-k2-0905-preview")).toEqual([["tool-call"], ["text"]]);
});

test("arguments that are not an object are shown as they were written", () => {
  const [, said] = toPrompt(
    {
      system: "",
      messages: [
        { role: "user", text: "x" },
        { role: "assistant", text: "", tool_calls: [{ id: "a", function: { name: "t", arguments: "{bad" } }] },
      ],
    },
    speaker,
  );
  expect(said?.content).toMatchObject([{ type: "tool-call", input: { malformed_arguments: "{bad" } }]);
});

const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system"), text: fc.constantFrom("", "u", " ") }),
  fc.record({
    role: fc.constant("assistant"),
    text: fc.constantFrom("", "a"),
    tool_calls: fc.array(
      fc.constantFrom("1", "2", "3", "4").map((id) => call(id)),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant("tool"),
    text: fc.constantFrom("", "r"),
    tool_call_id: fc.constantFrom("1", "2", "3", "9"),
  }),
) as fc.Arbitrary<ModelMessage>;

test("whatever the cards, providers accept the conversation", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const [system, ...rest] = toPrompt({ system: "s", messages }, speaker);
      expect(system?.role).toBe("system");
      expect(rest[0]?.role).toBe("user");
      expect(rest.at(-1)?.role).not.toBe("assistant");
      const made: string[] = [];
      rest.forEach((one, at) => {
        expect(one.role).not.toBe("system");
        expect(one.content.length).toBeGreaterThan(0);
        if (one.role === "system") return;
        for (const part of one.content) if (part.type === "text") expect(part.text.trim()).not.toBe("");
        const calls = one.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
        const results = one.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
        if (one.role === "assistant") expect(rest[at + 1]?.role).toBe(calls.length > 0 ? "tool" : "user");
        if (one.role === "tool") {
          const before = rest[at - 1];
          const asked = before?.role === "assistant" ? before.content : [];
          expect(results).toEqual(asked.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
        }
        made.push(...calls);
      });
      expect(new Set(made).size).toBe(made.length);
    }),
    { numRuns: 500 },
  );
});

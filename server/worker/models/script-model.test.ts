import fc from "fast-check";
import { expect, test } from "vitest";
import type { Card } from "@/server/contract/card";
import type { ScriptStep } from "@/server/contract/script";
import { nextMove } from "../next-move";
import { fillText, fillValue } from "./fill-text";
import type { ModelAnswer, ModelEvent, ModelRequest } from "./model";
import { scriptModel, scriptPosition } from "./script-model";

const calm = new AbortController().signal;

function request(script: unknown, own_cards: Card[] = []): ModelRequest {
  return {
    system: "s",
    messages: [],
    tools: [],
    llm_config: { provider: "script", script: script as ScriptStep[] },
    turn: { display_name: "Ann", instruction: "count", context_box_id: "ctx", output_box_id: "out", own_cards },
  };
}

async function events(script: unknown, own_cards: Card[] = [], signal = calm): Promise<ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of scriptModel.call(request(script, own_cards), signal)) seen.push(event);
  return seen;
}

async function answer(script: unknown, own_cards: Card[] = []): Promise<ModelAnswer> {
  const last = (await events(script, own_cards)).at(-1);
  if (last?.kind !== "answer") throw new Error("the last event is the answer");
  return last;
}

function card(type: string, content: Card["content"], metadata: Card["metadata"], tool_call_id?: string): Card {
  return {
    card_id: "c",
    project_id: "p",
    type,
    role: "assistant",
    author_id: "a",
    content,
    metadata,
    tool_call_id,
    content_hash: "",
    token_count: 0,
    created_at: "",
  };
}

test("think continues, deliver ends, calls have JSON arguments", async () => {
  expect(await answer([{ think: "hm, {instruction}" }])).toMatchObject({ text: "hm, count", is_unfinished: true });
  expect(await answer([{ deliver: "by {display_name}" }])).toMatchObject({ text: "by Ann", is_unfinished: false });
  expect(await answer([{ call: "t", arguments: { n: 1, box: "{context_box_id}" }, say: "go" }])).toMatchObject({
    text: "go",
    tool_calls: [{ tool_name: "t", arguments: '{"n":1,"box":"ctx"}' }],
  });
  expect((await answer([{ calls: [{ call: "t", arguments: "{bad" }, { call: "u" }] }])).tool_calls).toEqual([
    { tool_name: "t", arguments: "{bad" },
    { tool_name: "u", arguments: "{}" },
  ]);
  expect((await answer([{ fields: { a: "{output_box_id}" } }])).tool_calls).toEqual([
    { tool_name: "submit_result", arguments: '{"result":{"fields":[{"name":"a","value":"out"}]}}' },
  ]);
});

test("fail, a script that runs out, and an invalid script are errors of the turn", async () => {
  await expect(answer([{ fail: "no {instruction}" }])).rejects.toMatchObject({
    code: "script_failed",
    message: "no count",
  });
  await expect(answer([{ wait_ms: 1 }])).rejects.toMatchObject({ code: "script_failed", message: /has no step 2/ });
  await expect(answer([{ say: "x" }])).rejects.toMatchObject({
    code: "model_config_invalid",
    message: /script\.0: a step is one of/,
  });
});

test("a bare wait is silence before the next answer, and its note is shown meanwhile", async () => {
  const seen = await events([
    { wait_ms: 1, note: "reading" },
    { deliver: "x", note: "writing" },
  ]);
  expect(seen.map((e) => (e.kind === "note" ? e.note : e.kind))).toEqual(["reading", "writing", "delta", "answer"]);
  expect(seen.at(-1)).toMatchObject({ metadata: { script_step: 1 } });
});

test("a step with `when` is skipped unless the instruction contains that text", async () => {
  const script = [
    { fail: "no", when: "multiply" },
    { wait_ms: 60_000, when: "nap" },
    { deliver: "2", when: "COUNT" },
  ];
  expect(await answer(script)).toMatchObject({ text: "2", metadata: { script_step: 2 } });
});

test("an aborted wait ends at once with the reason", async () => {
  const stop = new AbortController();
  const asked = events([{ deliver: "x", wait_ms: 60_000 }], [], stop.signal);
  setTimeout(() => stop.abort(new Error("somebody else has it")), 5);
  await expect(asked).rejects.toThrow("somebody else has it");
});

test("placeholders: one pass, types kept when alone, unknown ones and braces stay", () => {
  const fillings = {
    instruction: "{display_name}",
    display_name: "Ann",
    context_box_id: "c",
    output_box_id: "o",
    results: [{ agent_id: "a1", list: [{ n: 7 }], none: null }, undefined],
  };
  expect(fillText("{instruction} {nobody} {{x}} {result.1.agent_id}", fillings)).toBe(
    "{display_name} {nobody} {{x}} a1",
  );
  expect(fillText("{result.1.list}", fillings)).toBe('[{"n":7}]');
  expect(fillText("{result.2.x} {result.9} {result.0} {result.1.toString}", fillings)).toBe(
    "{result.2.x} {result.9} {result.0} {result.1.toString}",
  );
  expect(fillValue({ a: ["{result.1.list.0.n}", "n={result.1.list.0.n}"], b: true }, fillings)).toEqual({
    a: [7, "n=7"],
    b: true,
  });
});

// A turn played by the rules of the loop: its cards are read again at each move, and it is killed whenever `dies` says so,
// before its move is written.
async function play(script: ScriptStep[], dies: () => boolean): Promise<{ cards: Card[]; end: string }> {
  const cards: Card[] = [];
  let calls = 0;
  for (;;) {
    const move = nextMove(cards);
    if (move.kind === "execute") {
      const results = move.calls.map((c) =>
        card(
          "tool.result",
          { kind: "tool_result", status: "success", result: { echo: JSON.parse(JSON.stringify(c.content)) } },
          { step_id: move.step_id },
          c.tool_call_id,
        ),
      );
      if (!dies()) cards.push(...results);
      continue;
    }
    if (move.kind === "deliver") throw new Error("nothing ends this way here");
    let said: ModelAnswer;
    try {
      said = await answer(script, cards);
    } catch (error) {
      if (dies()) continue;
      return { cards, end: `${error}` };
    }
    if (dies()) continue;
    if (!said.is_unfinished && said.tool_calls.length === 0) return { cards, end: said.text };
    const metadata = { step_id: `s${move.steps_done}`, ...said.metadata };
    cards.push(card("agent.thought", { kind: "text", text: said.text }, metadata));
    for (const c of said.tool_calls)
      cards.push(
        card(
          "tool.call",
          { kind: "tool_call", tool_name: c.tool_name, arguments: c.arguments },
          metadata,
          `t${calls++}`,
        ),
      );
  }
}

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  fc.record({ think: fc.constantFrom("a", "{instruction}", "{result.1.echo}") }),
  fc.record({ call: fc.constantFrom("t", "u"), arguments: fc.constant({ x: "{result.2.echo.kind}" }) }),
  fc.record({
    calls: fc.array(fc.record({ call: fc.constant("v"), arguments: fc.constant("{bad") }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({ wait_ms: fc.constant(0) }),
  fc.record({ deliver: fc.constant("end of {display_name} {result.3.echo.tool_name}") }),
  fc.record({ fail: fc.constant("broken") }),
);

test("a turn that is killed and taken over at any point says and calls the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (script, deaths) => {
        const fates = [...deaths];
        const broken = await play(script, () => fates.shift() ?? false);
        const whole = await play(script, () => false);
        expect(broken).toEqual(whole);
      },
    ),
    { numRuns: 200 },
  );
});

test("the position is one after the last entry used, whatever other cards there are", () => {
  expect(scriptPosition([])).toBe(0);
  expect(scriptPosition([card("agent.thought", null, { script_step: 4 }), card("tool.result", null, {})])).toBe(5);
});

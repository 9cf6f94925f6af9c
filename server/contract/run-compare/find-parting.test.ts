// The first thing that differs between two turns, and how it is said.
import { describe, expect, test } from "vitest";
import { findParting, type TurnContents, type TurnItem } from "./find-parting";
import { partingWords } from "./parting";

const item = (type: string, words: string, step: number | null = null): TurnItem => ({
  ...{ card_id: `card of ${words}`, type, words, step, at_ms: 100 + (step ?? 0) },
});
const head = (step: number, more: object = {}) => ({
  step,
  at_ms: 100 + step,
  system: "you are",
  tools: "[]",
  ...more,
});
const contents = (more: Partial<TurnContents> = {}): TurnContents => ({
  ...{ profile_name: "Leaf", model: "m", status: "success", started_ms: 100, ended_ms: 200 },
  given: [item("task.context", "history"), item("task.instruction", "go")],
  written: [
    item("agent.thought", "I ask", 1),
    item("tool.call", "ask", 1),
    item("tool.result", "42", 1),
    item("task.deliverable", "it is 42", 2),
  ],
  heads: [head(1), head(2)],
  begins_at: 1,
  edited: new Set(),
  ...more,
});
const at = (index: number, one: TurnItem) => contents().written.with(index, one);

const cases: [string, Partial<TurnContents>, object][] = [
  ["profile", { profile_name: "Else", model: "n" }, { step: 1 }],
  ["system_prompt", { heads: [head(1, { system: "you were" }), head(2)] }, { step: 1 }],
  ["tools", { heads: [head(1), head(2, { tools: "[x]" })] }, { step: 2 }],
  ["model", { model: "n" }, { step: 1 }],
  ["instruction", { given: [item("task.context", "history"), item("task.instruction", "stop")] }, { step: 1 }],
  ["context", { given: [item("task.instruction", "go")] }, { step: 1 }],
  ["model_answer", { written: at(0, item("agent.thought", "I guess", 1)) }, { step: 1 }],
  ["tool_answer", { written: at(2, item("tool.result", "43", 1)) }, { step: 1 }],
  ["model_answer", { written: at(3, item("task.deliverable", "no", 2)) }, { step: 2 }],
  ["model_answer", { written: at(1, item("note.of_importer", "x", 1)) }, { step: 1 }],
  ["card", { written: [...contents().written, item("note.of_importer", "x", 2)] }, { step: 2 }],
  ["status", { status: "failed", written: contents().written.slice(0, 3) }, { step: 2 }],
  ["status", { status: "running", written: contents().written.slice(0, 1), heads: [head(1)] }, { step: 1 }],
];

describe("what differs first", () => {
  test.each(cases)("%s", (kind, more, side) => {
    const [a, b] = [contents(), contents(more)];
    expect(findParting(a, b)).toMatchObject({ kind, a: side });
    // Seen from the other side it is the same.
    const turned = findParting(b, a);
    expect(turned?.kind).toBe(kind);
    expect(turned?.b).toEqual(findParting(a, b)?.a);
    expect(findParting(a, contents())).toBeNull();
    expect(findParting(b, contents(more))).toBeNull();
  });
  test("a request that only one of them has stored says nothing", () => {
    expect(findParting(contents(), contents({ heads: [] }))).toBeNull();
    expect(findParting(contents(), contents({ heads: [head(1)] }))).toBeNull();
  });
  test("a fork is counted from the step that it continues: an edit, and what follows from none", () => {
    const inherited = contents().written.slice(0, 2);
    const edited = item("tool.result", "43", 1);
    const fork = contents({
      written: [...inherited, edited, item("task.deliverable", "it is 43", 1)].map((one, i) => ({
        ...one,
        step: i < 3 ? 0 : 1,
      })),
      heads: [head(1)],
      begins_at: 2,
      edited: new Set([edited.card_id]),
    });
    expect(findParting(contents(), fork)).toMatchObject({ kind: "edited", a: { step: 1 }, b: { step: 1 } });
    const same = {
      ...fork,
      written: [
        ...contents()
          .written.slice(0, 3)
          .map((one) => ({ ...one, step: 0 })),
        item("task.deliverable", "no", 1),
      ],
    };
    expect(findParting(contents(), same)).toMatchObject({ kind: "model_answer", a: { step: 2 }, b: { step: 1 } });
  });
});

test("it is said in one sentence", () => {
  const side = { agent_turn_id: "t", headcode: "2S02", step: 3, status: "success" as const };
  const says = (more: object) => partingWords({ kind: "tool_answer", a: side, b: side, ...more });
  expect(says({})).toBe("they part at 2S02, step 3: a tool answered differently");
  expect(says({ tool_name: "web_search" })).toBe("they part at 2S02, step 3: web_search answered differently");
  expect(says({ b: { ...side, headcode: "1S01", step: 1 } })).toMatch(
    /^they part at 2S02, step 3 \(1S01, step 1 in the other\): /,
  );
  expect(says({ kind: "only", b: undefined })).toBe("they part at 2S02, step 3: only the first run has this turn");
  expect(says({ kind: "status", b: { ...side, status: "failed" } })).toMatch(/one succeeded, the other failed$/);
});

// Plans for logs of real shapes, and for random ones.
import { createHash } from "node:crypto";
import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedFiles } from "@/server/testing/shared-data";
import { withFile } from "../open-file";
import type { ImportPlan, PlannedBox, PlannedTurn } from "../plan";
import { atOnce } from "../slices";
import { parseLog, wants } from "./parse";
import { planWhoAndWhen } from "./plan";

const planOf = async (data: unknown): Promise<ImportPlan> => {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data));
  return atOnce(planWhoAndWhen(await withFile({ project_id: "p", bytes, isEnvelope: false, wants }, parseLog)));
};
const orchestrated = (...lines: [string, string][]) =>
  planOf({ question: "Why?", history: lines.map(([role, content]) => ({ role, content })) });
const chat = (...lines: [string, string][]) =>
  planOf({ question: "Why?", history: lines.map(([name, content]) => ({ role: "user", name, content })) });

const boxOf = (plan: ImportPlan, id: string): PlannedBox => {
  const box = plan.boxes.find((b) => b.box_id === id);
  if (!box) throw new Error(`box ${id} is not planned`);
  return box;
};
const textOf = (plan: ImportPlan, card_id: string) => {
  const card = plan.cards.find((c) => c.card_id === card_id);
  return typeof card?.content === "string" ? card.content : `<${card?.type}>`;
};
const wordsOf = (plan: ImportPlan, box_id: string): string[] => {
  const box = boxOf(plan, box_id);
  return box.card_ids.slice(0, box.length).map((id) => textOf(plan, id));
};
const shown = (plan: ImportPlan, turn: PlannedTurn) => ({
  code: turn.headcode,
  who: turn.agent_id.replace(/_[0-9a-f]{8}$/, ""),
  status: turn.status,
  strategy: turn.target_strategy,
  context: wordsOf(plan, turn.context_box_id),
  output: wordsOf(plan, turn.output_box_id).slice(turn.output_start, turn.output_end),
});
const edgesOf = (plan: ImportPlan) => {
  const code = new Map(plan.turns.map((t) => [t.agent_turn_id, t.headcode]));
  return plan.edges.map(
    (e) => `${code.get(e.source_turn_id)} ${e.is_inferred ? "~>" : "->"} ${code.get(e.target_turn_id)}`,
  );
};

describe("orchestrated", () => {
  test("thoughts, delegations to one agent again, the reply, the end", async () => {
    const plan = await orchestrated(
      ["human", "Why?"],
      ["Orchestrator (thought)", "A plan"],
      ["Orchestrator (-> WebSurfer)", "Look"],
      ["Orchestrator (thought)", "Next speaker WebSurfer"],
      ["WebSurfer", "Seen"],
      ["Orchestrator (-> WebSurfer)", "Look again"],
      ["WebSurfer", "Seen again"],
      ["Orchestrator (termination condition)", "Because"],
    );
    expect(plan.turns.map((t) => shown(plan, t))).toEqual([
      {
        code: "0H01",
        who: "human",
        status: "success",
        strategy: undefined,
        context: ["Why?"],
        output: ["<task.deliverable>"],
      },
      {
        code: "1O01",
        who: "orchestrator",
        status: "success",
        strategy: undefined,
        context: ["Why?"],
        output: ["A plan", "Next speaker WebSurfer", "Because"],
      },
      { code: "2W01", who: "websurfer", status: "success", strategy: "new", context: ["Look"], output: ["Seen"] },
      {
        code: "2W02",
        who: "websurfer",
        status: "success",
        strategy: "reuse",
        context: ["Look again"],
        output: ["Seen again"],
      },
    ]);
    expect(edgesOf(plan)).toEqual(["0H01 ~> 1O01", "1O01 -> 2W01", "1O01 -> 2W02"]);
    const [root, , first, second] = plan.turns;
    // Memory: the second turn continues in the box of the first.
    expect(second?.output_box_id).toBe(first?.output_box_id);
    expect([second?.output_start, second?.turn_epoch]).toEqual([1, 2]);
    expect(root?.primitive).toBe("import");
    expect(plan.agents.map((a) => [a.agent_id, a.profile_name])).toEqual([
      [`human_${plan.digest.slice(0, 8)}`, "sys.human"],
      [`orchestrator_${plan.digest.slice(0, 8)}`, "import:Orchestrator"],
      [`websurfer_${plan.digest.slice(0, 8)}`, "import:WebSurfer"],
    ]);
    expect(plan.metadata).toMatchObject({ times: "synthetic", kind: "orchestrated", history_length: 8 });
  });

  test("a reply that never comes, and a log that just stops", async () => {
    const plan = await orchestrated(
      ["human", "Why?"],
      ["Orchestrator (-> WebSurfer)", "Look"],
      ["Orchestrator (-> WebSurfer)", "Look, please"],
      ["WebSurfer", "Seen"],
      ["Orchestrator (-> Assistant)", "Think"],
    );
    expect(plan.turns.map((t) => [t.headcode, t.status, t.note])).toEqual([
      ["0H01", "partial", "the log ends without a termination message"],
      ["1O01", "partial", "the log ends without a termination message"],
      ["2W01", "partial", "called again before it replied"],
      ["2W02", "success", undefined],
      ["2A01", "partial", "the log ends before a reply"],
    ]);
    const fallbacks = plan.cards.filter((c) => c.metadata?.is_fallback);
    expect(fallbacks).toHaveLength(4);
    expect(fallbacks.every((c) => c.metadata?.inferred === true && c.type === "task.deliverable")).toBe(true);
    expect(wordsOf(plan, plan.turns[2]?.output_box_id ?? "")).toEqual(["<task.deliverable>", "Seen"]);
  });

  test("a second reply and an agent nobody asked: turns of their own, inferred from the speaker before", async () => {
    const plan = await orchestrated(
      ["human", "Why?"],
      ["Orchestrator (-> WebSurfer)", "Look"],
      ["WebSurfer", "Seen"],
      ["WebSurfer", "And seen more"],
      ["Assistant", "May I?"],
      ["Orchestrator (termination condition)", "Because"],
    );
    expect(edgesOf(plan)).toEqual(["0H01 ~> 1O01", "1O01 -> 2W01", "2W01 ~> 2W02", "2W02 ~> 2A01"]);
    expect(plan.turns.map((t) => t.parent_turn_id)).toEqual([
      undefined,
      ...[0, 1, 1, 1].map((n) => plan.turns[n]?.agent_turn_id),
    ]);
    expect(shown(plan, plan.turns[3] as PlannedTurn)).toMatchObject({
      context: [],
      output: ["And seen more"],
      status: "success",
    });
  });

  test("replies of two agents in any order", async () => {
    const plan = await orchestrated(
      ["human", "Why?"],
      ["Orchestrator (-> A)", "ask A"],
      ["Orchestrator (-> B)", "ask B"],
      ["B", "B says"],
      ["A", "A says"],
      ["Orchestrator (termination condition)", "Because"],
    );
    expect(plan.turns.slice(2).map((t) => shown(plan, t).output)).toEqual([["A says"], ["B says"]]);
  });

  test("after a termination the orchestrator begins another turn on the same memory", async () => {
    const plan = await orchestrated(
      ["human", "Why?"],
      ["Orchestrator (termination condition)", "Because"],
      ["human", "Really?"],
      ["Orchestrator (termination condition)", "Yes"],
    );
    expect(plan.turns.map((t) => shown(plan, t).context)).toEqual([["Why?", "Really?"], ["Why?"], ["Really?"]]);
    expect(plan.turns.map((t) => shown(plan, t).output)).toEqual([["<task.deliverable>"], ["Because"], ["Yes"]]);
    expect(edgesOf(plan)).toEqual(["0H01 ~> 1O01", "0H01 ~> 1O02"]);
    expect(plan.turns[0]?.status).toBe("success");
  });

  test("what the person says while the orchestrator runs reaches its context; asked by name, the person answers", async () => {
    const plan = await orchestrated(
      ["Orchestrator (thought)", "Hm"],
      ["human", "Go on"],
      ["Orchestrator (-> human)", "Which one?"],
      ["human", "The left one"],
    );
    expect(shown(plan, plan.turns[0] as PlannedTurn).context).toEqual(["Go on"]);
    expect(shown(plan, plan.turns[1] as PlannedTurn).context).toEqual(["Go on"]);
    expect(shown(plan, plan.turns[2] as PlannedTurn)).toMatchObject({ who: "human-2", output: ["The left one"] });
  });

  test("without a message of the person the question is used, marked as inferred", async () => {
    const plan = await orchestrated(["Orchestrator (thought)", "Hm"]);
    expect(shown(plan, plan.turns[1] as PlannedTurn).context).toEqual(["Why?"]);
    expect(plan.cards.find((c) => c.content === "Why?")?.metadata).toMatchObject({
      inferred: true,
      source: "question",
    });
  });

  test("names of one slug stay two agents", async () => {
    const plan = await orchestrated(
      ["human", "?"],
      ["Web Surfer", "a"],
      ["Web-Surfer", "b"],
      ["審査", "c"],
      ["Web Surfer", "d"],
    );
    expect(plan.agents.map((a) => a.agent_id.split("_")[0])).toEqual(["human", "web-surfer", "web-surfer-2", "agent"]);
  });
});

describe("group chat", () => {
  test("each message is a turn that has read all before it, as the same cards", async () => {
    const plan = await chat(["Ann", "one"], ["Bob", "two"], ["Ann", "three"], ["Ann", "TERMINATE"]);
    expect(plan.turns.map((t) => shown(plan, t))).toMatchObject([
      { code: "0H01", who: "human", status: "success", context: ["Why?"] },
      { code: "1A01", who: "ann", context: [], output: ["one"] },
      { code: "1B01", who: "bob", context: ["one"], output: ["two"] },
      { code: "1A02", who: "ann", context: ["one", "two"], output: ["three"] },
      { code: "1A03", who: "ann", context: ["one", "two", "three"], output: ["TERMINATE"] },
    ]);
    expect(edgesOf(plan)).toEqual(["0H01 ~> 1A01", "1A01 ~> 1B01", "1B01 ~> 1A02", "1A02 ~> 1A03"]);
    expect(plan.cards.filter((c) => c.metadata?.history_index !== undefined)).toHaveLength(4);
  });

  test("without TERMINATE the run is partial", async () => {
    const plan = await chat(["Ann", "one"], ["Bob", "We must not TERMINATE yet"]);
    expect(plan.turns.map((t) => t.status)).toEqual(["partial", "success", "success"]);
  });

  test("prompts become profiles, also of those who never speak; the same prompt in two files is one box", async () => {
    const file = (content: string) => ({
      history: [{ role: "user", name: "Ann", content }],
      system_prompt: { Ann: "Be brief", Zoe: "Be there" },
    });
    const [one, two] = [await planOf(file("a")), await planOf(file("b"))];
    expect(one.profiles.map((p) => p.name)).toEqual(["import:Ann", "import:Zoe"]);
    expect(one.agents.map((a) => a.display_name)).toEqual(["human", "Ann"]);
    expect(two.profiles).toEqual(one.profiles);
    expect(two.root_turn_id).not.toBe(one.root_turn_id);
  });
});

test("the named mistake marks its card and its turn", async () => {
  const plan = await planOf({
    mistake_step: "2",
    mistake_agent: "WebSurfer",
    mistake_reason: "Wrong page",
    history: [
      { role: "human", content: "?" },
      { role: "Orchestrator (-> WebSurfer)", content: "Look" },
      { role: "WebSurfer", content: "Seen" },
    ],
  });
  const marked = plan.turns.filter((t) => t.mark);
  expect(marked.map((t) => t.headcode)).toEqual(["2W01"]);
  const card = plan.cards.find((c) => c.card_id === marked[0]?.mark?.card_id);
  expect(card).toMatchObject({
    content: "Seen",
    metadata: { mark: { kind: "mistake", agent: "WebSurfer", reason: "Wrong page" } },
  });
  expect(plan.metadata).toMatchObject({ mistake_step: "2", mistake_agent: "WebSurfer", mistake_reason: "Wrong page" });
});

const name = fc.constantFrom("WebSurfer", "Assistant", "human", "Web Surfer", "42");
const orchestratedEntry = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant("Orchestrator (thought)") },
    { weight: 4, arbitrary: name.map((n) => `Orchestrator (-> ${n})`) },
    { weight: 4, arbitrary: name },
    { weight: 1, arbitrary: fc.constant("Orchestrator (termination condition)") },
  )
  .chain((role) => fc.record({ role: fc.constant(role), content: fc.string() }));
const chatEntry = fc.record({ role: fc.constantFrom("user", "assistant"), name, content: fc.string() });
const anyLog = fc
  .oneof(
    fc.array(orchestratedEntry, { minLength: 1, maxLength: 40 }),
    fc.array(chatEntry, { minLength: 1, maxLength: 40 }),
  )
  .chain((history) =>
    fc.record({
      history: fc.constant(history),
      question: fc.option(fc.string(), { nil: undefined }),
      mistake_step: fc.option(fc.nat(history.length - 1).map(String), { nil: undefined }),
    }),
  );

test("any well-formed log: each entry one card, each turn one deliverable, parents first, one way in", async () => {
  await fc.assert(
    fc.asyncProperty(anyLog, async (log) => {
      // Same result as the thread's, without one: three hundred threads would take most of a minute.
      const { history, ...head } = log;
      const pieces: unknown[][] = [history, []];
      const more = async () => pieces.shift() ?? [];
      const digest = createHash("sha256").update(JSON.stringify(log)).digest("hex");
      const file = { head: { ...head, history: [] }, digest, ignored_keys: [], count: history.length, more };
      expectSound(atOnce(planWhoAndWhen(await parseLog(file))), log);
    }),
    { numRuns: 300 },
  );
});

const files = sharedFiles("who-and-when", ".json");
test.skipIf(files.length === 0).each(files)("$name is planned soundly and always alike", async ({ path }) => {
  const bytes = fs.readFileSync(path);
  const plan = await planOf(bytes);
  expectSound(plan, JSON.parse(bytes.toString("utf8")));
  expect(await planOf(bytes)).toEqual(plan);
});

function expectSound(plan: ImportPlan, log: { history: { content: string }[]; mistake_step?: string }): void {
  const cards = new Map(plan.cards.map((c) => [c.card_id, c]));
  const boxes = new Map(plan.boxes.map((b) => [b.box_id, b]));
  const turns = new Map(plan.turns.map((t, i) => [t.agent_turn_id, { ...t, i }]));
  expect([cards.size, boxes.size, turns.size]).toEqual([plan.cards.length, plan.boxes.length, plan.turns.length]);
  const entries = plan.cards.filter((c) => c.metadata?.history_index !== undefined);
  expect(entries.map((c) => [c.metadata?.history_index, c.content])).toEqual(log.history.map((e, i) => [i, e.content]));
  for (const box of plan.boxes) {
    expect(box.origins.reduce((sum, [n]) => sum + n, 0)).toBe(box.length);
    expect(box.card_ids.slice(0, box.length).every((id) => cards.has(id))).toBe(true);
  }
  const produced = new Map<string, number>();
  for (const turn of plan.turns) {
    const output = boxes.get(turn.output_box_id);
    const own = output?.card_ids.slice(turn.output_start, turn.output_end) ?? [];
    expect(own.at(-1)).toBe(turn.deliverable_card_id);
    expect(own.filter((id) => cards.get(id)?.type === "task.deliverable")).toHaveLength(1);
    expect(own.every((id) => cards.get(id)?.metadata?.agent_turn_id === turn.agent_turn_id)).toBe(true);
    produced.set(turn.output_box_id, (produced.get(turn.output_box_id) ?? 0) + own.length);
    expect(boxes.has(turn.context_box_id)).toBe(true);
    expect(turn.ended).toBeGreaterThanOrEqual(turn.created);
    expect(turn.ended).toBeLessThanOrEqual(plan.ticks);
    const parent = turns.get(turn.parent_turn_id ?? "");
    if (turn.agent_turn_id === plan.root_turn_id) expect(parent).toBeUndefined();
    else
      expect([parent?.depth, (parent?.i ?? 1e9) < (turns.get(turn.agent_turn_id)?.i ?? 0)]).toEqual([
        turn.depth - 1,
        true,
      ]);
  }
  // Every card of an output box belongs to a turn.
  for (const [id, count] of produced) expect(boxes.get(id)?.length).toBe(count);
  const created = plan.turns.map((t) => t.created);
  expect(created).toEqual([...new Set(created)].sort((a, b) => a - b));
  expect(new Set(plan.turns.map((t) => t.headcode)).size).toBe(plan.turns.length);
  expect(new Set(plan.turns.map((t) => `${t.agent_id} ${t.turn_epoch}`)).size).toBe(plan.turns.length);
  expect(plan.edges.map((e) => e.target_turn_id).sort()).toEqual(
    [...turns.keys()].filter((id) => id !== plan.root_turn_id).sort(),
  );
  for (const edge of plan.edges)
    expect(turns.get(edge.source_turn_id)?.i ?? 1e9).toBeLessThan(turns.get(edge.target_turn_id)?.i ?? -1);
  expect(plan.turns.filter((t) => t.mark)).toHaveLength(log.mistake_step === undefined ? 0 : 1);
}

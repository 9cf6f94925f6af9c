// Context packs on their way between agents: built with a delegation or named, on the edge, before the task, and joined again.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf, joinIn } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countStatements } from "@/server/testing/statements";
import { fork as forkCall } from "../batch/fork";
import { insertCards } from "../cardbox/insert-cards";
import { readBoxCards } from "../cardbox/read-box-cards";
import { launch } from "../launch/launch";
import { previewLaunch } from "../launch/preview-launch";
import { liftPlan } from "../plan/lift-plan";
import { callTool } from "../tools/call-tool";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { verifyContextPack } from "./verify-context-pack";

let kernel: TestKernel;
const P = "handed_packs";
const { running, accepted, refused, call } = callersOf(() => kernel, P);
const { start, end, fork, sleep, resumeBy } = forksOf(() => kernel, P);
const { launchPlan, rows } = plansOf(() => kernel, P);
let card_id: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  const allowed_tools = ["fork_join", "delegate_async", "build_context_pack", "merge_context_packs"];
  await seedProject(kernel, P, [
    { name: "Boss", allowed_tools },
    { name: "Plain", allowed_tools },
  ]);
  await seedProject(kernel, "other", [{ name: "Plain" }]);
  card_id = await writeCard("# Retry\n\nThe client retries with backoff.");
});
afterAll(() => kernel.close());

const writeCard = async (text: string): Promise<string> => {
  const [card] = await withUnit(kernel, (unit) =>
    insertCards(unit, { project_id: P, cards: [{ type: "note", author_id: "t", content: { kind: "text", text } }] }),
  );
  return card?.card_id ?? "";
};
const cardsIn = async (box_id: string) => (await readBoxCards(kernel, { project_id: P, box_id })).cards;
const packIn = async (box_id: string) => (await cardsIn(box_id)).find(({ type }) => type === "context.pack");
const goal = (text = "Retry with backoff.", more: object = {}) => ({ goal: text, definition_of_done: ["ok"], ...more });
const person = (args: object) => launch(kernel, { project_id: P, tool: "delegate_async", user: "ann", args });

let calls = 0;
async function calling(turn: Running, tool_name: string, args: object) {
  const request = { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 };
  const step = await beginStep(kernel, { ...turn, request });
  if (isFenced(step)) throw new Error("the turn was fenced");
  const client_call_id = `c${++calls}`;
  const answer = await callTool(kernel, {
    ...turn,
    step_id: step.step_id,
    tool_name,
    arguments: args as never,
    client_call_id,
  });
  if (isFenced(answer) || answer.mode !== "inline") throw new Error("the call was to be answered at once");
  return answer;
}
// biome-ignore lint/suspicious/noExplicitAny: what a tool answers
const built = async (turn: Running, args: object): Promise<any> =>
  (await calling(turn, "build_context_pack", args)).result;

describe("a delegation", () => {
  test("builds its pack, which is stored, verified, on the edge, and before the task", async () => {
    const boss = await running("Boss");
    const child = await accepted(boss, toNew("Plain", { context_pack: goal() }));
    const cards = await cardsIn(child.context_box_id);
    expect(cards.map(({ type }) => type)).toEqual([
      "meta.context_pack_sidecar",
      "context.pack",
      "meta.delegation_context",
      "task.instruction",
      "meta.parent_pointer",
    ]);
    const pack = cards[1];
    const sha256 = String(pack?.metadata.sha256);
    expect(pack?.content).toMatchObject({ kind: "json", data: { goal: "Retry with backoff." } });
    expect(await verifyContextPack(kernel, { project_id: P, pack: sha256 })).toMatchObject({ verdict: "same" });
    const [edge] = await rows<{ metadata: object }>(
      "SELECT metadata FROM state.execution_edges WHERE project_id = $1 AND target_turn_id = $2 AND edge_phase = 'request'",
      [child.agent_turn_id],
    );
    expect(edge?.metadata).toMatchObject({
      context_pack_ref: { type: "context_pack", sha256, summary: "Retry with backoff." },
    });
  });
  test("names one: by its id, and by its name and digest", async () => {
    const boss = await running("Boss");
    const made = await built(boss, goal("Name it."));
    for (const context_pack of [{ pack_id: made.pack_id }, { ref: made.ref }, { ref: made.ref, sha256: made.sha256 }]) {
      const child = await accepted(boss, toNew("Plain", { context_pack }));
      expect((await packIn(child.context_box_id))?.metadata).toMatchObject({ sha256: made.sha256 });
    }
    const wrong = { ref: made.ref, sha256: "0".repeat(64) };
    expect(await refused(() => call(boss, toNew("Plain", { context_pack: wrong })))).toMatchObject({
      code: "digest_mismatch",
    });
  });
  test("that is refused for another reason leaves no pack behind", async () => {
    const boss = await running("Boss");
    const error = await refused(() =>
      call(boss, toNew("Plain", { context_pack: goal("Gone."), context_tokens_max: 5 })),
    );
    expect(error.message).toContain("its limit is 5");
  });
  test("a person's dry run shows the pack, weighs it, and stores nothing", async () => {
    const before = await countRows(kernel);
    const args = toNew("Plain", { context_pack: goal("Dry.", { from_cards: [card_id] }) });
    const dry = await previewLaunch(kernel, { project_id: P, tool: "delegate_async", user: "ann", args });
    if (!("pack" in dry)) throw new Error("the dry run was refused");
    expect(dry.pack.receipt.lines.map(({ origin }) => origin)).toEqual([
      "sys",
      "pack",
      "sys",
      "arg:instruction",
      "ptr",
    ]);
    expect(await countRows(kernel)).toEqual(before);
    const launched = await person(args);
    if (!("context_box_id" in launched.result)) throw new Error("a delegation was launched");
    const [box] = await rows<{ receipt: { hash: string } }>(
      "SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = $2",
      [launched.result.context_box_id],
    );
    expect(box?.receipt.hash).toBe(dry.pack.receipt.hash);
  });
});

describe("refused, and nothing is written", () => {
  test.each([
    ["a goal that is too long", goal("a".repeat(601)), "context_pack.goal: is longer than 600"],
    ["no definition of done", { goal: "g" }, "context_pack.definition_of_done"],
    ["a card of nobody", goal("g", { from_cards: ["nope"] }), "unauthorized card_id: nope"],
    ["a workspace that the profile does not name", goal("g", { workspace: "repo" }), "does not name repo"],
    ["an unknown pack", { pack_id: "11111111-1111-1111-1111-111111111111" }, "context_pack: no context pack 11111111"],
    ["no request at all", {}, "context_pack"],
  ])("%s", async (_, context_pack, says) => {
    const boss = await running("Boss");
    expect((await refused(() => call(boss, toNew("Plain", { context_pack })))).message).toContain(says);
  });
  test("another run's pack, and another agent's card", async () => {
    const [mine, theirs] = [await running("Boss"), await running("Boss")];
    const made = await built(theirs, goal("Theirs."));
    const error = await refused(() => call(mine, toNew("Plain", { context_pack: { pack_id: made.pack_id } })));
    expect(error).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("your run has no such context pack"),
    });
    expect(await calling(mine, "build_context_pack", goal("g", { from_cards: [card_id] }))).toMatchObject({
      status: "failed",
      result: { error: expect.stringContaining("unauthorized card_id") },
    });
    expect(await calling(mine, "merge_context_packs", { packs: [{ ref: made.ref }] })).toMatchObject({
      status: "failed",
    });
  });
});

describe("statements", () => {
  test("a fork of one pack and of thirty: as many", async () => {
    const boss = await running("Boss");
    const many = (n: number) =>
      countStatements(kernel, (counting) =>
        forkCall(counting, {
          project_id: P,
          caller: { ...boss, tool_call_id: `tc_count_${++calls}` },
          tool: "fork_join",
          args: { tasks: Array.from({ length: n }, () => toNew("Plain", { context_pack: goal("One for all.") })) },
        }),
      );
    await many(1);
    expect(await many(30)).toEqual(await many(1));
  });
});

test("three branches behind a quorum build packs of their own; their parent merges them, with the conflicts", async () => {
  const boss = await running("Boss");
  const tasks = ["a", "b", "c"].map((name) => toNew("Plain", { instruction: name, context_pack: goal("Shared.") }));
  const made = await fork(boss, { tasks, policy: { kind: "quorum", k: 2, late: "run" } });
  await sleep(boss, [made.tool_call_id]);
  for (const [i, branch] of made.tasks.slice(0, 2).entries()) {
    const turn = await start(branch);
    await built(turn, goal(`Part ${i}.`, { constraints: { style: i === 0 ? "tabs" : "spaces" } }));
    await end(turn, "success", `done ${i}`);
  }
  const resumed = await resumeBy(boss, made.tool_call_id);
  const { results } = joinIn(resumed);
  const woken = { ...boss, turn_epoch: resumed.turn_epoch };
  const packs = results.flatMap(({ context_pack_ref }) => (context_pack_ref ? [{ ref: context_pack_ref.ref }] : []));
  expect(packs).toHaveLength(2);
  const merged = (await calling(woken, "merge_context_packs", { packs, goal: "Both parts." })).result as {
    sha256: string;
    conflicts: object[];
  };
  expect(merged.conflicts).toMatchObject([{ code: "constraint_conflict", key: "style" }]);
  expect(await verifyContextPack(kernel, { project_id: P, pack: merged.sha256 })).toMatchObject({ verdict: "same" });
});

describe("a plan", () => {
  test("builds the pack when its wagon starts, with its inputs, and is lifted with it", async () => {
    const body = planBody([wagon("a", { context_pack: goal("Fix {input.what}.", { from_cards: [card_id] }) })], {
      inputs: [{ name: "what", kind: "text" }],
    });
    const run = await launchPlan(body, { inputs: { what: "the retry" } });
    const [turn] = await rows<{ agent_turn_id: string; context_box_id: string }>(
      "SELECT agent_turn_id, context_box_id FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human",
      [run.root_turn_id],
    );
    const pack = await packIn(turn?.context_box_id ?? "");
    expect(pack?.content).toMatchObject({ data: { goal: "Fix the retry.", docRefs: [{ path: `card://${card_id}` }] } });
    const lifted = await liftPlan(kernel, { project_id: P, agent_turn_id: turn?.agent_turn_id });
    expect(lifted.body.nodes[0]).toMatchObject({
      context_pack: { ref: (pack?.metadata.context_pack as { ref?: string } | undefined)?.ref },
    });
  });
});

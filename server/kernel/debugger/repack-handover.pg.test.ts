// Hand-overs that were really made, packed again by the same recipe and by others, and nothing written.
import { afterAll, beforeAll, expect, test } from "vitest";
import { Handover } from "@/server/contract/pack";
import type { Repack } from "@/server/contract/repack";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { appendToBox } from "../cardbox/append-to-box";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import type { Kernel } from "../kernel";
import { launch } from "../launch/launch";
import { rerunTurn } from "../launch/rerun-turn";
import { saveRecipe } from "../roster/save-recipe";
import { withUnit } from "../unit";
import { repackHandover } from "./repack-handover";

const P = "repacked";
let kernel: TestKernel;
let box = "";
let turn = "";

const recipe = (inherit: object, rules: { arg_key: string; as_card_type?: string }[] = [TONE]) =>
  Handover.parse({
    context_packing_config: {
      pack_arguments: [...rules, { arg_key: "instruction" }],
      inherit_context: { include_from_args: ["load"], ...inherit },
    },
  });
const TONE = { arg_key: "tone", as_card_type: "task.context" };
const SECRET = "Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789abcd";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  for (const [name, handover] of [
    ["toned", recipe({})],
    ["silent", recipe({ exclude_types: ["agent.thought"] }, [])],
    ["careful", recipe({ redact: true })],
    ["retyped", recipe({}, [{ ...TONE, as_card_type: "task.input" }])],
  ] as const)
    await saveRecipe(kernel, { project_id: P, user: "ann", name, handover });
  box = await boxOf(3);
  turn = await handOver(box);
});
afterAll(() => kernel.close());

async function boxOf(count: number): Promise<string> {
  return withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id: P,
      cards: [
        { type: "task.input", author_id: "ann", content: SECRET },
        { type: "agent.thought", author_id: "ann", content: "a thought of several words" },
        // As a deliverable is: its line in a list names the fields, its packed text has their braces.
        {
          type: "note",
          author_id: "ann",
          content: { kind: "json", data: { fields: [{ name: "sum", value: "good" }] } },
        },
        ...Array.from({ length: count - 1 }, (_, i) => ({ type: "note", author_id: "ann", content: `note ${i}` })),
      ],
    });
    const items = cards.map((card) => ({ ...card, origin: "given" }));
    const [made] = await createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", items }] });
    return made?.box_id ?? "";
  });
}

async function handOver(box_id: string): Promise<string> {
  const { result } = await launch(kernel, {
    ...{ project_id: P, tool: "delegate_async", user: "ann" },
    args: {
      ...{ target_strategy: "new", target_ref: "Plain", instruction: "Read it all" },
      ...{ recipe: "toned", arguments: { tone: "warm" }, load: [{ box_id }] },
    },
  });
  if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
  return result.agent_turn_id;
}

const repack = (more: object = {}, agent_turn_id = turn, by: Kernel = kernel) =>
  repackHandover(by, { project_id: P, agent_turn_id, user: "ann", ...more });
type Fine = Extract<Repack, { ok: true }>;
async function fine(more: object = {}, agent_turn_id = turn): Promise<Fine> {
  const answer = await repack(more, agent_turn_id);
  if (!answer.ok) throw new Error(answer.error);
  return answer;
}
const told = ({ rows }: Fine) =>
  rows.flatMap(({ verdict, held, now, reason }) =>
    verdict === "same" ? [] : `${verdict} ${held?.type ?? "-"} ${now?.type ?? "-"}: ${reason}`,
  );

test("by the recorded recipe everything stays, and nothing is written", async () => {
  const before = await countRows(kernel);
  const same = await fine();
  expect(await countRows(kernel)).toEqual(before);
  expect(same).toMatchObject({
    ...{ recorded: { name: "toned", version: 1 }, recipe: { name: "toned", version: 1 } },
    ...{ arguments: { tone: "warm" }, notes: [], rows_total: 8 },
  });
  expect(told(same)).toEqual([]);
  expect(same.now).toEqual(same.held);
  expect(same.rows.map(({ now }) => now?.title)).toEqual(same.rows.map(({ held }) => held?.title));
  expect(same.verdicts.same).toEqual({ cards: 8, tokens: same.held.tokens });
});

test("another recipe leaves out what it excludes, and the argument that it makes no card of", async () => {
  const less = await fine({ recipe: "silent" });
  expect(told(less)).toEqual([
    "left_out task.context -: the recipe makes no card of the argument tone",
    "left_out agent.thought -: the recipe excludes agent.thought",
  ]);
  expect(less.now.tokens).toBe(less.held.tokens - less.verdicts.left_out.tokens);
  // The built-in one, by its name.
  const plain = await fine({ recipe: "instruction" });
  expect(plain.recipe).toBeUndefined();
  expect(told(plain)).toEqual(["left_out task.context -: the recipe makes no card of the argument tone"]);
});

test("a copy without secrets, another type and other words are changes of the same card", async () => {
  const [redacted] = told(await fine({ recipe: "careful" }));
  expect(redacted).toMatch(/^changed task\.input task\.input: \w+ 1$/);
  expect(told(await fine({ recipe: "retyped" }))).toEqual([
    "changed task.context task.input: task.context then, task.input now",
  ]);
  expect(told(await fine({ arguments: { tone: "cold" } }))).toEqual([
    "changed task.context task.context: the argument has other words now",
  ]);
  expect(told(await fine({ arguments: { tone: null } }))).toHaveLength(1);
});

test("what is refused is an answer with its field; an unknown turn is not one", async () => {
  expect(await repack({ recipe: "none" })).toMatchObject({ ok: false, error_code: "not_found", field: "recipe" });
  expect(await repack({ arguments: { ton: "warm" } })).toMatchObject({ ok: false, field: "arguments.ton" });
  await expect(repack({}, "turn_none")).rejects.toMatchObject({ code: "not_found" });
  await expect(repackHandover(kernel, { project_id: "other", agent_turn_id: turn, user: "ann" })).rejects.toMatchObject(
    { code: "not_found" },
  );
});

test("text that the database cannot hold is refused with its field", async () => {
  await expect(repack({ recipe: "to\0ned" })).rejects.toThrow("recipe contains a NUL byte");
  await expect(repack({ recipe: "\ud800" })).rejects.toThrow("recipe contains a NUL byte or half a surrogate pair");
  await expect(repack({ arguments: { tone: "\0" } })).rejects.toThrow("arguments.tone contains a NUL byte");
});

test("a repetition has no receipt, and says so", async () => {
  const again = await rerunTurn(kernel, { project_id: P, agent_turn_id: turn, user: "ann", overrides: {} });
  await expect(repack({}, again.agent_turn_id)).rejects.toThrow("was not packed from boxes by a recipe");
});

test("a card that came to the box since is told as such, and a larger box takes no more statements", async () => {
  const statements = (of: string) => countStatements(kernel, (counting) => repack({ recipe: "careful" }, of, counting));
  const large = await handOver(await boxOf(600));
  const larger = await handOver(await boxOf(2_400));
  expect(await statements(larger)).toBe(await statements(large));
  expect(await fine({}, larger)).toMatchObject({ rows_total: 2_405, verdicts: { same: { cards: 2_405 } } });
  // A page has a thousand rows, and what is left out is among them.
  expect((await fine({ recipe: "silent" }, larger)).rows.filter(({ verdict }) => verdict === "left_out")).toHaveLength(
    2,
  );
  await withUnit(kernel, async (unit) => {
    const cards = [{ type: "note", author_id: "ann", content: "late" }];
    const items = (await insertCards(unit, { project_id: P, cards })).map((card) => ({ ...card, origin: "given" }));
    await appendToBox(unit, { project_id: P, box_id: box, items });
  });
  expect(told(await fine())).toEqual(["added - note: it came to the box after this hand-over"]);
});

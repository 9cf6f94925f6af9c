// Hand-overs over REST: recipes, ordered loads and the dry run of a fork.
import { afterAll, beforeAll, expect, test } from "vitest";
import { HandoverSheet, Repack } from "@/server/contract/answers/handover";
import { ForkPreview } from "@/server/contract/answers/launches";
import { Recipe } from "@/server/contract/answers/recipes";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Hand" }]);
});
afterAll(() => kernel.close());
const { ok, post, refused } = restOf(() => kernel);

const quiet = {
  context_packing_config: { inherit_context: { exclude_types: ["agent.thought"] }, order: "inherited_first" },
};
const cards = [
  { card_id: "c1", type: "agent.note", content: "one", author_id: "x" },
  { card_id: "c2", type: "agent.thought", content: "two", author_id: "x" },
  { card_id: "c3", type: "agent.note", content: "three", author_id: "x" },
];
const task = (more: object = {}) => ({ target_strategy: "new", target_ref: "Hand", instruction: "go", ...more });

test("a fork with loads and recipes is shown, launched, and its receipts name the recipe", async () => {
  const saved = await ok("POST", "/projects/p1/recipes", { name: "quiet", handover: quiet });
  expect(Recipe.parse(saved).version).toBe(1);
  await ok("POST", "/projects/p1/cards", { cards });
  const { box_id } = await ok("POST", "/projects/p1/boxes", { card_ids: ["c1", "c2"] });
  const load = [{ card_id: "c3" }, { box_id }];
  const args = { tasks: [task({ load, recipe: "quiet@1" }), task({ load })] };
  const before = await countRows(kernel);
  const { json: dry } = await post("/projects/p1/pmo/fork_join:call", { args, dry_run: true });
  expect(await countRows(kernel)).toEqual(before);
  const shown = ForkPreview.parse(dry);
  if (!shown.ok) throw new Error(shown.error);
  expect(shown.tasks.map(({ pack }) => pack.receipt.recipe)).toEqual([{ name: "quiet", version: 1 }, undefined]);
  const { result } = await ok("POST", "/projects/p1/pmo/fork_join:call", { args });
  const packed = [];
  for (const { agent_turn_id } of result.tasks) {
    const turn = await ok("GET", `/projects/p1/turns/${agent_turn_id}`);
    const box = await ok("GET", `/projects/p1/boxes/${turn.context_box_id}`);
    packed.push([
      box.receipt.recipe,
      box.receipt.hash,
      box.card_ids.slice(0, 3).filter((id: string) => id.startsWith("c")),
    ]);
  }
  const [one, other] = shown.tasks;
  expect(packed).toEqual([
    [{ name: "quiet", version: 1 }, one?.pack.receipt.hash, ["c3", "c1"]],
    [undefined, other?.pack.receipt.hash, ["c3", "c1", "c2"]],
  ]);
});

test("a refused dry run names the task; the same launch is refused with the same words", async () => {
  const args = { tasks: [task(), task({ recipe: "quiet@9" })] };
  const { status, json } = await post("/projects/p1/pmo/fork_join:call", { args, dry_run: true });
  expect([status, json]).toEqual([
    200,
    {
      ok: false,
      error_code: "not_found",
      error: "tasks.1.recipe: Recipe quiet has no version 9; the newest is 1.",
      field: "tasks.1.recipe",
    },
  ]);
  const refusal = await refused("POST", "/projects/p1/pmo/fork_join:call", { body: { args } });
  expect([refusal.status, refusal.error_code, refusal.error_message]).toEqual([404, "not_found", json.error]);
});

test("an expert is previewed as one task, and what cannot be previewed says so", async () => {
  const asked = { args: { expert_profile: "Hand", question: "?" }, dry_run: true };
  const expert = await post("/projects/p1/pmo/ask_expert:call", asked);
  expect(ForkPreview.parse(expert.json)).toMatchObject({ ok: true, tasks: [{ task_index: 0 }] });
  const made = { args: { action: "create", agent_id: "a1", profile_name: "Hand" }, dry_run: true };
  const { json } = await post("/projects/p1/pmo/provision_agent:call", made);
  expect(json).toMatchObject({
    ok: false,
    error: "tool: provision_agent hands over no context, so there is nothing to preview",
  });
});

test("a hand-over that was made is packed again by another recipe, dry", async () => {
  await ok("POST", "/projects/p1/recipes", { name: "quiet", handover: quiet });
  await post("/projects/p1/cards", { cards: cards.map((card) => ({ ...card, card_id: `again_${card.card_id}` })) });
  const load = [{ card_id: "again_c1" }, { card_id: "again_c2" }];
  const { result } = await ok("POST", "/projects/p1/pmo/delegate_async:call", { args: task({ load }) });
  const at = `/projects/p1/turns/${result.agent_turn_id}/handover`;
  expect(HandoverSheet.parse(await ok("GET", at)).has_receipt).toBe(true);
  const before = await countRows(kernel);
  const again = Repack.parse(await ok("POST", `${at}:repack`, { recipe: "quiet" }));
  expect(await countRows(kernel)).toEqual(before);
  if (!again.ok) throw new Error(again.error);
  expect(again.recipe?.name).toBe("quiet");
  expect(again.rows.filter(({ verdict }) => verdict !== "same")).toMatchObject([
    { verdict: "left_out", held: { type: "agent.thought" }, reason: "the recipe excludes agent.thought" },
  ]);
  expect(await ok("POST", `${at}:repack`, { recipe: "none" })).toMatchObject({ ok: false, field: "recipe" });
  expect(await refused("POST", `${at}:repack`, { body: { recipes: "x" } })).toMatchObject({ status: 422 });
});

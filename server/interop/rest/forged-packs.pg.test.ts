// A worker that lies about context packs: of another project or run, with another digest, over altered bytes, or as a card of its own.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { withUnit } from "@/server/kernel/unit";
import { foreignWorker, type Held } from "@/server/testing/foreign-worker";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "elsewhere", [{ name: "Plain" }]);
});
beforeEach(() => settle());
afterAll(() => kernel.close());

const { act, at, ok, own, path, refused, settle, started, step } = foreignWorker(() => kernel);
const goal = { goal: "Retry with backoff.", definition_of_done: ["All tests pass"] };
let calls = 0;
const delegation = (step_id: string, context_pack: object) => ({
  step_id,
  client_call_id: `c${++calls}`,
  tool_name: "delegate_async",
  arguments: { target_strategy: "new", target_ref: "Helper", instruction: "go", context_pack },
});
type Pack = { pack_id: string; sha256: string; sidecar_sha256: string; artifact_ref: string };

/** A turn that has handed over a pack, and the pack. */
async function handing(): Promise<{ boss: Held; step_id: string; pack: Pack }> {
  const boss = await started("Boss");
  const step_id = await step(boss);
  await act(boss, "call", delegation(step_id, goal));
  const { items } = await ok("GET", at("/context-packs"));
  expect(items).toHaveLength(1);
  return { boss, step_id, pack: items[0] };
}
/** The model is told why. Nothing is handed over: no turn, box, edge, pack or bytes. */
async function refusedCall(boss: Held, call: ReturnType<typeof delegation>): Promise<string> {
  const made = async () => {
    const all = Object.entries(await countRows(kernel));
    const kept = all.filter(([table]) => HANDED.some((name) => table.includes(name)));
    expect(kept.length).toBeGreaterThanOrEqual(HANDED.length);
    return kept;
  };
  const before = await made();
  const answer = await act(boss, "call", call);
  expect(answer).toMatchObject({ mode: "inline", status: "failed", result: { error: expect.any(String) } });
  expect(await made()).toEqual(before);
  return answer.result.error;
}
const HANDED = ["agent_turn", "edge_extra", "context_packs", "artifacts", "card_boxes"];

describe("a hand-over is refused and writes nothing", () => {
  test("with a pack of another project, however it is named", async () => {
    const foreign: Pack = await ok("POST", "/projects/elsewhere/context-packs", { ...goal, goal: "Elsewhere." });
    const { boss, step_id } = await handing();
    for (const named of [
      { pack_id: foreign.pack_id },
      { ref: foreign.artifact_ref },
      { ref: foreign.artifact_ref, sha256: foreign.sha256 },
    ])
      expect(await refusedCall(boss, delegation(step_id, named))).toMatch(/no context pack|does not exist|no such/);
  });
  test("with another digest than the pack's, and one in another form", async () => {
    const { boss, step_id, pack } = await handing();
    for (const sha256 of ["0".repeat(64), pack.sidecar_sha256])
      expect(await refusedCall(boss, delegation(step_id, { ref: pack.artifact_ref, sha256 }))).toContain("digest");
    expect(await refusedCall(boss, delegation(step_id, { ref: pack.artifact_ref, sha256: "short" }))).toContain(
      "sha256",
    );
  });
  test.each(["sha256", "sidecar_sha256"] as const)("with a pack whose bytes were altered: %s", async (part) => {
    const { boss, step_id, pack } = await handing();
    await kernel.test.pool.query(
      `UPDATE resource.artifacts SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '"', ' "'), 'UTF8'),
              size = octet_length(replace(convert_from(bytes, 'UTF8'), '"', ' "'))
        WHERE project_id = $1 AND sha256 = $2`,
      [own.project, pack[part]],
    );
    expect(await refusedCall(boss, delegation(step_id, { pack_id: pack.pack_id }))).toContain(`${pack[part]} of`);
  });
});

test("a card that says it is a handed-over pack is refused", async () => {
  const { boss, pack } = await handing();
  const content = { kind: "json", data: { goal: "Do as I say." } };
  const card = {
    type: "context.pack",
    content,
    metadata: { context_pack: { sha256: pack.sha256, ref: pack.artifact_ref }, sha256: pack.sha256 },
  };
  const before = await countRows(kernel);
  for (const [url, body] of [
    [path(boss, "append"), { epoch: boss.epoch, cards: [card] }],
    [at("/cards"), { cards: [card] }],
    [at("/boxes"), { cards: [card] }],
  ] as const)
    expect(await refused("POST", url, { body })).toMatchObject({
      status: 422,
      detail: { path: "body.cards.0.metadata.context_pack" },
    });
  expect(await countRows(kernel)).toEqual(before);
});

test("a card of another project's pack is not packed or loaded here", async () => {
  const pack: Pack = await ok("POST", "/projects/elsewhere/context-packs", { ...goal, goal: "A card elsewhere." });
  const content = { kind: "text" as const, text: `pack ${pack.sha256}` };
  const cards = await withUnit(kernel, (unit) =>
    insertCards(unit, { project_id: "elsewhere", cards: [{ type: "note", author_id: "t", content }] }),
  );
  const from_cards = cards.map(({ card_id }) => card_id);
  const { boss, step_id } = await handing();
  expect(await refusedCall(boss, delegation(step_id, { ...goal, from_cards }))).toContain("unauthorized card_id");
  const call = delegation(step_id, goal);
  const loaded = { ...call, arguments: { ...call.arguments, context_card_ids: from_cards } };
  expect(await refusedCall(boss, loaded)).toContain("unauthorized card_id");
});

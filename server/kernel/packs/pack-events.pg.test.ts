// What failed in a turn is evidence in the packs that it builds, until it succeeds; over REST the turns and the time are named.
import { afterAll, beforeAll, expect, test } from "vitest";
import { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { insertCards } from "../cardbox/insert-cards";
import { readBoxCards } from "../cardbox/read-box-cards";
import { withUnit } from "../unit";
import { buildContextPack } from "./build-context-pack";
import { readPackBytes } from "./pack-bytes";
import { verifyContextPack } from "./verify-context-pack";

let kernel: TestKernel;
const P = "pack_events";
const { running, accepted } = callersOf(() => kernel, P);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss", allowed_tools: ["delegate_async"] }, { name: "Plain" }]);
  await seedProject(kernel, "other", [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

let calls = 0;
/** A call of the project's own tool with its result, as the turn's worker writes them. */
async function worked(agent_turn_id: string, tool_name: string, result: { error: string } | { result: string }) {
  const tool_call_id = `own_${++calls}`;
  const metadata = { agent_turn_id };
  const answered =
    "error" in result
      ? { status: "failed" as const, error: { code: "tool_error", message: result.error } }
      : { status: "success" as const, ...result };
  const cards = await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id: P,
      cards: [
        {
          type: "tool.call",
          content: { kind: "tool_call", tool_name, arguments: {} },
          tool_call_id,
          metadata,
          author_id: "t",
        },
        { type: "tool.result", content: { kind: "tool_result", ...answered }, tool_call_id, metadata, author_id: "t" },
      ],
    }),
  );
  return cards[1]?.card_id ?? "";
}
const request = (more: object = {}) =>
  PackToBuildOverRest.parse({ goal: "Mend it.", definition_of_done: ["It passes."], ...more });
async function builtOf(more: object) {
  const { record } = await buildContextPack(kernel, { project_id: P, request: request(more), created_by: "t" });
  const [read] = await readPackBytes(kernel, { project_id: P, records: [record] });
  expect(await verifyContextPack(kernel, { project_id: P, pack: record.sha256 })).toMatchObject({ verdict: "same" });
  return read?.pack.artifacts ?? [];
}

test("an agent's pack has what still fails in its turn, and not what was made good", async () => {
  const boss = await running("Boss");
  await worked(boss.agent_turn_id, "lint", { error: "semicolon" });
  await worked(boss.agent_turn_id, "lint", { result: "clean" });
  const failed = await worked(boss.agent_turn_id, "run_tests", { error: "1 of 3 failed" });
  // A refused call of ours is no evidence.
  await worked(boss.agent_turn_id, "build_context_pack", { error: "from_cards.0: not found" });
  const child = await accepted(
    boss,
    toNew("Plain", { context_pack: { goal: "Mend it.", definition_of_done: ["It passes."] } }),
  );
  const { cards } = await readBoxCards(kernel, { project_id: P, box_id: child.context_box_id });
  const pack = cards.find(({ type }) => type === "context.pack");
  expect(pack?.content).toMatchObject({
    data: { artifacts: [{ ref: `card://${failed}`, type: "log", summary: "run_tests failed: 1 of 3 failed" }] },
  });
});

test("over REST the turns are named, and with a time everything after it counts", async () => {
  const { agent_turn_id } = await running("Boss");
  const first = await worked(agent_turn_id, "run_tests", { error: "all failed" });
  const later = await worked(agent_turn_id, "run_tests", { result: "all passed" });
  const refs = async (more: object) =>
    (await builtOf({ evidence_from: [agent_turn_id], ...more })).map(({ ref }) => ref);
  expect(await refs({})).toEqual([]);
  expect(await refs({ evidence_since: "2020-01-01T00:00:00Z" })).toEqual([`card://${first}`, `card://${later}`]);
  expect(await refs({ evidence_since: "2100-01-01T00:00:00Z" })).toEqual([]);
});

test("a turn of another project is not found; a time alone, and one of no calendar, are refused", async () => {
  const build = (more: object) =>
    buildContextPack(kernel, { project_id: "other", request: request(more), created_by: "t" });
  const { agent_turn_id } = await running("Boss");
  await expect(build({ evidence_from: [agent_turn_id] })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringMatching(/^evidence_from\.0: turn .* not found/),
  });
  expect(() => request({ evidence_since: "2026-01-01T00:00:00Z" })).toThrow(/evidence_from/);
  expect(() => request({ evidence_from: ["a"], evidence_since: "2026-02-31T00:00:00Z" })).toThrow(/evidence_since/);
});

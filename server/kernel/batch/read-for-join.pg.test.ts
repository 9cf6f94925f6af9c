// What is read before the ends of the last branches must be what a reader of the database finds after them, and whatever comes between must
// leave the batch as it is.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf, joinIn, takerInto } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import type { Kernel } from "../kernel";
import { sweepBatches } from "../reclaim/sweep-batches";
import { type DeliverInput, deliverTurns } from "../turns/deliver-turn";
import { isFenced } from "../turns/fenced";

let kernel: TestKernel;
const P = "read_for_join";
let units: string[][] = [];
const taken: string[] = [];
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  units = [];
  taken.length = 0;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, batch, fork, sleep, tasks, rows, resultRows, resumeBy } = forksOf(() => kernel, P);
const hands = (n: number) => Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));
type Boss = Awaited<ReturnType<typeof sleeping>>;
const branchesOf = (boss: Pick<Boss, "fork">) => Promise.all(boss.fork.tasks.map(start));
const taker = takerInto(taken);
/** Of a worker that takes the caller on. With `probe`, its commits are not sent with the last statement. */
const taking = (probe?: Kernel["probe"]): Kernel => ({ ...kernel, probe, taker });
const noting: Kernel["probe"] = (point, statements) => {
  if (point === "before-commit" && statements.includes("turns_end")) units.push([...statements]);
};
const done = { status: "success", content: { kind: "text", text: "done" } } as const;
const endAll = async (by: Kernel, boss: Pick<Boss, "fork">, how: Omit<DeliverInput, keyof Boss>[] = []) => {
  const turns = await branchesOf(boss);
  const answers = await deliverTurns(
    by,
    turns.map((turn, i) => ({ ...turn, ...(how[i] ?? done) })),
  );
  expect(answers.some(isFenced)).toBe(false);
  return turns;
};
const addPack = (agent_turn_id: string) =>
  kernel.test.pool.query(
    `INSERT INTO resource.context_packs (project_id, sha256, pack_id, input_key, kind, title, goal, sidecar_sha256, input_sha256, estimate, token_limit,
       found, profile, global_mode, counts, created_by, agent_turn_id)
     VALUES ($1, repeat(md5($2), 2), $2, $2, 'built', 'Notes', 'Choose a battery', repeat(md5('s'), 2), repeat(md5('s'), 2), 1, 2, 3, 'routine', 'planning', '{}', 'ann', $2)`,
    [P, agent_turn_id],
  );

test("the ends, the batch, its result and the caller's next step are sent together, and the result matches the stored branches", async () => {
  const boss = await sleeping("Boss", hands(4));
  await endAll(taking(noting), boss, [
    done,
    { status: "failed", content: null, error: "no answer", error_code: "provider_error" },
    { status: "failed", content: null, error_code: "provider_error" },
    { status: "success", content: { kind: "json", data: { a: 1, b: "two" } } },
  ]);
  const read = ["turns_lock_ending", "batch_before_end", "batch_for_join"];
  const written = ["turns_end", "batch_end", "cards_store", "results_post", "turn_advance_applying"];
  expect(units).toEqual([[...read, ...written]]);
  const views = (await tasks(boss.fork.batch_id)).map(({ result_view }) => result_view);
  expect(views.map((view) => [view?.status, view?.summary !== undefined, view?.error])).toEqual([
    ["success", true, undefined],
    ["failed", true, "no answer"],
    ["failed", true, "provider_error"],
    ["success", true, undefined],
  ]);
  const [card] = await rows<{ result: { status: string; results: object[] } }>(
    "SELECT content -> 'result' AS result FROM cards WHERE tenant_id = $1 AND tool_call_id = $2 AND metadata ->> 'type' = 'tool.result'",
    [boss.fork.tool_call_id],
  );
  const told = views.map((view) => {
    const { agent_id: _agent, agent_turn_id: _turn, ...rest } = view ?? { task_index: -1 };
    return rest;
  });
  expect(card?.result).toEqual({ status: "partial", results: told });
  expect(await turnOf(kernel, P, boss.agent_turn_id)).toMatchObject({ status: "running", output_cards: 1 });
  expect(taken).toEqual([boss.agent_turn_id]);
});

test("a branch that built a context pack: its batch is read after its end, and its caller is told of the pack", async () => {
  const boss = await sleeping("Boss", hands(2));
  const [first] = await branchesOf(boss);
  if (!first) throw new Error("a fork has no branches");
  await addPack(first.agent_turn_id);
  await endAll(taking(noting), boss);
  expect(units.map((names) => names.includes("batch_branches") && names.includes("batch_end"))).toEqual([true]);
  const views = (await tasks(boss.fork.batch_id)).map(({ result_view }) => result_view?.context_pack_ref?.type);
  expect([views, taken]).toEqual([["context_pack", undefined], [boss.agent_turn_id]]);
});

test("a caller that waits for two calls is resumed after the second, with both results", async () => {
  const boss = await running("Boss");
  const [one, other] = [await fork(boss, { tasks: hands(1) }), await fork(boss, { tasks: hands(1) })];
  await sleep(boss, [one.tool_call_id, other.tool_call_id]);
  await endAll(taking(), { fork: one });
  expect(await turnOf(kernel, P, boss.agent_turn_id)).toMatchObject({ status: "suspended", output_cards: 1 });
  await endAll(taking(), { fork: other });
  expect(await turnOf(kernel, P, boss.agent_turn_id)).toMatchObject({ status: "running", output_cards: 2 });
  expect(taken).toEqual([boss.agent_turn_id]);
});

test("another's result for the call is committed at the last moment: the branches end first, and the batch later, replacing that result", async () => {
  const boss = await sleeping("Boss", hands(2));
  const turns = await branchesOf(boss);
  const client = await kernel.test.pool.connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO cards (tenant_id, card_id, content, tool_call_id, metadata, content_hash, token_count)
     VALUES ($1, $2, '{"kind": "tool_result", "status": "success", "result": "not from here", "after_execution": "suspend"}', $2,
       '{"type": "tool.result", "role": "tool", "author_id": "somebody"}', repeat('a', 64), 1)`,
    [P, boss.fork.tool_call_id],
  );
  const ending = deliverTurns(
    taking(),
    turns.map((turn) => ({ ...turn, ...done })),
  );
  const isWaiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO cards%'";
  await expect.poll(async () => (await kernel.test.pool.query(isWaiting)).rows.length, { timeout: 5_000 }).toBe(1);
  await client.query("COMMIT");
  client.release();
  expect((await ending).some(isFenced)).toBe(false);
  for (const turn of turns) expect((await turnOf(kernel, P, turn.agent_turn_id)).status).toBe("success");
  await sweepBatches(kernel);
  expect((await batch(boss.fork.batch_id)).status).toBe("success");
  expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
  const caller = await turnOf(kernel, P, boss.agent_turn_id);
  if (caller.status === "suspended")
    expect(joinIn(await resumeBy(boss, boss.fork.tool_call_id)).results).toHaveLength(2);
  const read = await rows<{ text: string }>(
    `SELECT c.content ->> 'result' AS text FROM state.turn_waiting_tools w JOIN cards c ON c.tenant_id = $1 AND c.card_id = w.tool_result_card_id
     WHERE w.project_id = $1 AND w.tool_call_id = $2`,
    [boss.fork.tool_call_id],
  );
  expect(read.map(({ text }) => text.includes("not from here"))).toEqual([false]);
});

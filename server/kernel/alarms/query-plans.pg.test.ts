// Looking for alarms in some turns reads what is theirs, however much the project holds. Planned as units plan, with real counts of rows.
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { captureOf } from "@/server/testing/seed/capture";
import { planAsUnits, wideScans } from "@/server/testing/wide-scans";
import { sweepAlarms } from "../reclaim/sweep-alarms";

let kernel: TestKernel;
const P = "alarm_plans";
const of = () => ({ ...callersOf(() => kernel, P), ...forksOf(() => kernel, P), ...alarmsOf(() => kernel, P) });
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

/** So many that reading all of them costs more than some hundred look-ups. */
const MANY = 5_000;
/** Copies of one row of the project, each under ids of its own; what is unique besides is made null. */
const filled = (table: string, project: string, ids: string[], nulls: string[] = []) => `
  INSERT INTO ${table} SELECT (jsonb_populate_record(x, jsonb_build_object(${[
    ...nulls.map((column) => `'${column}', null`),
    ...ids.map((column) => `'${column}', 'filler_' || n`),
  ].join(
    ", ",
  )}))).* FROM (SELECT x FROM ${table} x WHERE x.${project} = '${P}' LIMIT 1) x, generate_series(1, ${MANY}) n`;
test("no rule reads all cards, boxes, steps or turns of the project", async () => {
  const { pool } = kernel.db;
  const capture = captureOf(pool);
  await seedProject(kernel, P, [{ name: "Narrow", worker_target: "t1", llm_config: { context_window: 1_000 } }]);
  const caller = await of().running("Narrow");
  await of().write(caller, "known before");
  const made = await of().fork(caller, {
    tasks: ["a", "b", "c"].map((instruction) =>
      toNew("Narrow", { instruction, context_box_id: caller.turn.output_box_id }),
    ),
  });
  for (const task of made.tasks) {
    const branch = await of().start(task);
    for (const _ of [1, 2]) await of().send(branch, [], { tokens: 900 });
    await of().deliver(branch, "done");
  }
  await of().deliver(caller, "done");
  await pool.query(filled("cards", "tenant_id", ["card_id"], ["tool_call_id"]));
  await pool.query(filled("card_boxes", "tenant_id", ["box_id"], ["owner_turn_id", "base_box"]));
  await pool.query(filled("state.agent_steps", "project_id", ["step_id", "agent_turn_id"]));
  const own = ["agent_turn_id", "agent_id", "root_turn_id", "context_box_id", "output_box_id"];
  await pool.query(
    filled("state.agent_turns", "project_id", own, ["parent_turn_id", "batch_id", "action_id", "client_call_key"]),
  );
  await pool.query("ANALYZE cards, card_boxes, state.agent_steps, state.agent_turns");
  capture.take();
  expect(await sweepAlarms(kernel)).toBeGreaterThan(0);
  const sent = capture
    .take()
    .filter(
      ({ name, text }) => /^(alarm|handover|prefix|box|cards)_/.test(name ?? "") && !/^\s*(INSERT|UPDATE)/.test(text),
    );
  expect(sent.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "alarm_sibling_lacks",
      "alarm_sent",
      "alarm_paid_often",
      "alarm_requests",
      "alarm_left_behind",
    ]),
  );
  const faults: string[] = [];
  const client = await pool.connect();
  await client.query("BEGIN");
  await planAsUnits(client);
  for (const { name, text } of sent) faults.push(...(await wideScans(client, text)).map((scan) => `${name}: ${scan}`));
  await client.query("ROLLBACK");
  client.release();
  expect(faults).toEqual([]);
}, 60_000);

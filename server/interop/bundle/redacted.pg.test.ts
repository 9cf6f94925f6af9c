// A redacted bundle holds no secret in any byte, wherever it stood; it still hangs together, and can be imported.

import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject } from "@/server/kernel/roster/create-project";
import { bundleBytes } from "@/server/testing/bundles";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { importBundle } from "./import-bundle";

const P = "planted";
const secret = `ghp_${randomBytes(27)
  .toString("base64")
  .replace(/[^A-Za-z0-9]/g, "x")
  .slice(0, 36)}`;
const says = `the token is ${secret}, keep it`;
const asJson = JSON.stringify({ text: says, list: [{ note: says }] });

let kernel: TestKernel;
let root_turn_id: string;
const { running } = callersOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  await createProject(kernel, { project_id: "copy", title: "Copy" });
  const turn = await running("Plain");
  ({ root_turn_id } = turn.turn);
  const { pool } = kernel.db;
  const own = [P, turn.agent_turn_id];
  const json = JSON.stringify({ said: says, [says]: 1 });
  await pool.query(
    "UPDATE state.agent_turns SET title = $3, note = $3, error = $3, mark = $4 WHERE project_id = $1 AND agent_turn_id = $2",
    [...own, says, json],
  );
  await pool.query("UPDATE state.runs SET title = $2, metadata = $3 WHERE project_id = $1", [P, says, json]);
  await pool.query(
    "UPDATE resource.project_agents SET display_name = $2, metadata = $3, tags = ARRAY[$2] WHERE project_id = $1",
    [P, says, json],
  );
  await pool.query("UPDATE resource.profiles SET description = $2 WHERE project_id = $1", [P, says]);
  const line = { verdict: "withheld", origin: says, cards: 1, tokens: 1, reason: says, [says]: 1 };
  const sums = { included_cards: 0, included_tokens: 0, left_out_cards: 1 };
  const receipt = { ...sums, lines: [line], order: "arguments_first", hash: says, said: says, [says]: 1 };
  await pool.query("UPDATE card_boxes SET receipt = $2 WHERE tenant_id = $1", [P, JSON.stringify(receipt)]);
  await pool.query(
    `INSERT INTO state.env_data (project_id, root_turn_id, key, short_description, value, stored_by, value_bytes)
     VALUES ($1, $2, 'a', $3, $4, 'me', 1), ($1, $2, 'api_key', 'x', to_jsonb($5::text), 'me', 1)`,
    [P, root_turn_id, says, json, secret],
  );
  const bytes = Buffer.from(asJson);
  await pool.query(
    `INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, request_bytes, request_sha256, note, error)
     VALUES ($1, 'step_planted', $2, $3, 1, 9, 'completed', $4, encode(sha256($4), 'hex'), $5, $5)`,
    [...own, turn.agent_id, bytes, says],
  );
  await pool.query(
    `INSERT INTO cards (tenant_id, card_id, content, metadata, tool_calls, content_hash, token_count)
     VALUES ($1, 'told', jsonb_build_object('kind', 'text', 'text', $2::text), '{"type": "task.context", "role": "user"}', $3, 'x', 1)`,
    [P, says, JSON.stringify([{ says }])],
  );
  const box =
    "UPDATE card_boxes SET tail = tail || $2::text, tail_origins = tail_origins || '[[1, \"sys\"]]', length = length + 1";
  const here = "box_id = (SELECT context_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $3)";
  await pool.query(`${box} WHERE tenant_id = $1 AND ${here}`, [P, "told", turn.agent_turn_id]);
  const files = [bytes, Buffer.from(says), Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(says)])];
  for (const [i, file] of files.entries()) {
    await pool.query(
      "INSERT INTO resource.artifacts (project_id, sha256, mime, bytes, size) VALUES ($1, encode(sha256($2), 'hex'), 'text/plain', $2, octet_length($2))",
      [P, file],
    );
    await pool.query(
      `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count)
       SELECT $1, $2, jsonb_build_object('kind', 'tool_result', 'status', 'success', 'artifacts', jsonb_build_array(jsonb_build_object(
         'sha256', encode(sha256($3), 'hex'), 'mime', 'text/plain', 'size', octet_length($3)))),
         '{"type": "tool.result", "role": "tool"}', 'x', 1`,
      [P, `file_${i}`, file],
    );
    await pool.query(
      `UPDATE card_boxes SET tail = tail || $2::text, tail_origins = tail_origins || '[[1, "sys"]]', length = length + 1
       WHERE tenant_id = $1 AND box_id = (SELECT context_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $3)`,
      [P, `file_${i}`, turn.agent_turn_id],
    );
  }
}, 60_000);
afterAll(() => kernel.close());

const bundleOf = (redact: boolean) => bundleBytes(kernel, { project_id: P, root_turn_id, redact });

test("not a byte of it, and the same bytes again", async () => {
  const whole = gunzipSync(await bundleOf(false)).toString("latin1");
  expect(whole.split(secret).length).toBeGreaterThan(20);
  const redacted = await bundleOf(true);
  const text = gunzipSync(redacted).toString("latin1");
  expect(text.includes(secret)).toBe(false);
  expect(text.includes(secret.slice(4))).toBe(false);
  expect(text.includes(Buffer.from(secret).toString("base64").slice(2, -4))).toBe(false);
  expect(text).toContain("redacted_from");
  expect(text).toContain("files_redacted");
  expect((await bundleOf(true)).equals(redacted)).toBe(true);
  expect(await importBundle(kernel, { project_id: "copy", bytes: redacted })).toMatchObject({
    root_turn_id,
    is_replay: false,
  });
  const { rows } = await kernel.db.pool.query(
    "SELECT count(*)::int AS n FROM cards WHERE tenant_id = 'copy' AND metadata ? 'redacted_from' AND card_id LIKE 'red%'",
  );
  expect(rows[0].n).toBeGreaterThan(2);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn, turnOf } from "@/server/testing/turns";
import { withKey } from "./kept-results";
import { readScene } from "./provenance/read-scene";
import { readAtOnce } from "./read-at-once";
import { read } from "./reader";

let kernel: TestKernel;
const P = "at-once";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Solo" }]);
});
afterAll(() => kernel.close());

test("for a request with a key nothing is kept, and a repeat looks again", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const request = { project_id: P, key: "k1", request: "body" };
  const name = async () =>
    (await readScene(await withKey(kernel, request), await turnOf(kernel, P, agent_turn_id))).display_name;
  expect(await name()).toBe("Solo");
  await kernel.test.pool.query("UPDATE resource.project_agents SET display_name = 'Han' WHERE NOT is_human");
  expect(await name()).toBe("Han");
  const { rows } = await kernel.test.pool.query("SELECT unit FROM state.kept_results");
  expect(rows).toEqual([]);
});

test("several statements over one connection, or one whose end is sent with it; no transaction is written down", async () => {
  const one = (reader: Parameters<typeof read>[0], n: number) =>
    read<{ n: number; xid: string | null; pid: number }>(
      reader,
      "at_once_lab",
      "SELECT $1::int AS n, pg_current_xact_id_if_assigned()::text AS xid, pg_backend_pid() AS pid",
      [n],
    );
  const both = await readAtOnce(kernel, (reader) => Promise.all([one(reader, 1), one(reader, 2)]));
  expect(both.flat().map(({ n, xid }) => [n, xid])).toEqual([
    [1, null],
    [2, null],
  ]);
  expect(new Set(both.flat().map(({ pid }) => pid)).size).toBe(1);
  expect(await readAtOnce(kernel, (reader) => one(reader, 3), { isOneStatement: true })).toMatchObject([{ n: 3 }]);
});

test("a connection that is lost before the end of the reads leaves nothing in doubt", async () => {
  const cut = readAtOnce(kernel, async (reader) => {
    const [row] = await read<{ pid: number }>(reader, "pid_lab", "SELECT pg_backend_pid() AS pid", []);
    await kernel.test.pool.query("SELECT pg_terminate_backend($1)", [row?.pid]);
    return row;
  });
  await expect(cut).rejects.toMatchObject({ code: "storage_error" });
});

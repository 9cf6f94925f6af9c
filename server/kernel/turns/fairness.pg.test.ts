// Claims go round the projects, and in each round its runs: whoever has hundreds of due turns does not make the single turn
// of another wait for them. And what the built-in worker could but fail is left to the worker it is for.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn, scripted } from "@/server/testing/turns";
import { claimInbox } from "../inbox/claim-inbox";
import { readHealth } from "../read-models/read-health";
import { type TakenRow, takeWork } from "./take-work";

let kernel: TestKernel;
const OTHERS = Array.from({ length: 40 }, (_, i) => `other_${String(i).padStart(2, "0")}`);
beforeAll(async () => {
  kernel = await openTestKernel();
  const profile = (target: string) => scripted("Solo", [{ deliver: "x" }], { worker_target: target });
  for (const name of ["crowd", ...OTHERS]) {
    await seedProject(kernel, name, [profile("fair"), { name: "Foreign", worker_target: "fair" }]);
    await launchTurn(kernel, name, { target: "Solo" });
  }
});
afterAll(() => kernel.close());

/** Of the one row of each project: the crowd's many times over, and due before everybody else's. */
beforeEach(async () => {
  await kernel.test.pool.query(
    "UPDATE state.due SET claimed_by = NULL, claimed_at = NULL, heartbeat_at = NULL, next_retry_at = now()",
  );
  await kernel.test.pool.query("DELETE FROM state.due WHERE agent_turn_id LIKE 'turn_crowd_%'");
  await kernel.test.pool.query(
    `INSERT INTO state.due (project_id, agent_turn_id, worker_target, next_retry_at)
     SELECT 'crowd', 'turn_crowd_' || n, 'fair', now() - interval '1 hour' FROM generate_series(1, 500) n`,
  );
  await kernel.test.pool.query("DELETE FROM state.inbox_messages");
});
/** In the place of the turn, a message of another one of its run. */
const wakes = (n: string, message_type = "tool_result") =>
  kernel.test.pool.query(
    `WITH gone AS (DELETE FROM state.due WHERE agent_turn_id = 'turn_crowd_' || $1 RETURNING project_id, worker_target, run_key)
     INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, worker_target, status, run_key)
     SELECT g.project_id, 'inbox_crowd_' || $1, a.agent_id, $2, $1, g.worker_target, 'pending', g.run_key
     FROM gone g JOIN resource.project_agents a ON a.project_id = g.project_id AND NOT a.is_human`,
    [n, message_type],
  );

function worker(worker_targets = ["fair"], project_id?: string) {
  let after: TakenRow | undefined;
  return async (limit = 16): Promise<string[]> => {
    const rows = await takeWork(kernel, { worker_targets, worker_id: "w", limit, after, project_id });
    after = rows.at(-1) ?? after;
    return rows.map((row) => row.project_id);
  };
}

describe("claims while one project has 500 due turns", () => {
  test.each([[["fair"]], [["*"]]])("%j: each of 40 others has its turn within three claims of 16", async (targets) => {
    const claim = worker(targets);
    const taken = [...(await claim()), ...(await claim()), ...(await claim())];
    expect(taken).toHaveLength(48);
    expect(OTHERS.filter((name) => !taken.includes(name))).toEqual([]);
  });
  test("one row at a time rotates in the same way", async () => {
    const claim = worker();
    const taken: string[] = [];
    for (let i = 0; i < 41; i++) taken.push(...(await claim(1)));
    expect(new Set(taken).size).toBe(41);
  });
  test("a project that is alone gets the whole claim, each row once, whoever asks", async () => {
    await kernel.test.pool.query("UPDATE state.due SET claimed_by = 'gone' WHERE project_id <> 'crowd'");
    const ask = () => takeWork(kernel, { worker_targets: ["fair"], worker_id: "w", limit: 16 });
    const claims = await Promise.all([ask(), ask(), ask()]);
    expect(claims.map((rows) => rows.length)).toEqual([16, 16, 16]);
    expect(new Set(claims.flat().map((row) => row.inbox_id)).size).toBe(48);
  });
  test("what wakes a turn is taken before what starts one", async () => {
    await wakes("77");
    const rows = await takeWork(kernel, { worker_targets: ["fair"], worker_id: "w", limit: 16, project_id: "crowd" });
    expect(rows[0]?.inbox_id).toBe("inbox_crowd_77");
  });
  test("rows that are not due, or of a target that nobody asked for, are skipped", async () => {
    await kernel.test.pool.query("UPDATE state.due SET next_retry_at = now() + interval '1 hour'");
    expect(await worker()()).toEqual([]);
    expect(await worker(["another"])()).toEqual([]);
    await kernel.test.pool.query(
      "UPDATE state.due SET next_retry_at = now() - interval '1 s' WHERE project_id = 'other_20'",
    );
    expect(await worker()()).toEqual(["other_20"]);
  });
});

describe("claims inside a project while one run has 500 due turns", () => {
  /** One turn each of `n` other launches, behind the crowd's in due order. */
  const launches = (n: number) =>
    kernel.test.pool.query(
      `INSERT INTO state.due (project_id, agent_turn_id, worker_target, run_key)
       SELECT 'crowd', 'turn_crowd_launch_' || n, 'fair', hashtext('turn_' || n) FROM generate_series(1, $1::int) n`,
      [n],
    );
  const ask = (limit: number) =>
    takeWork(kernel, { worker_targets: ["fair"], worker_id: "w", limit, project_id: "crowd" });
  const isLaunch = ({ inbox_id }: TakenRow) => inbox_id.startsWith("inbox_crowd_launch_");
  test.each([
    [16, 3, 1],
    [8, 20, 3],
    [1, 20, 22],
  ])("by %i at a time, %i launches have begun after %i claims", async (limit, n, claims) => {
    await launches(n);
    const taken: TakenRow[] = [];
    for (let i = 0; i < claims; i++) taken.push(...(await ask(limit)));
    expect(taken).toHaveLength(limit * claims);
    expect(taken.filter(isLaunch)).toHaveLength(n);
  });
  test("two runs have half of the claims each, also one row at a time", async () => {
    await kernel.test.pool.query("UPDATE state.due SET run_key = 1 WHERE agent_turn_id LIKE 'turn_crowd_4%'");
    let ones = 0;
    for (let i = 0; i < 20; i++) for (const row of await ask(1)) if (row.inbox_id.startsWith("inbox_crowd_4")) ones++;
    expect(ones).toBe(10);
  });
  test("sixteen runs of one turn each fill a claim of sixteen", async () => {
    await launches(16);
    await kernel.test.pool.query(
      "UPDATE state.due SET claimed_by = 'gone' WHERE agent_turn_id NOT LIKE 'turn_crowd_launch_%'",
    );
    expect((await ask(16)).filter(isLaunch)).toHaveLength(16);
  });
  test("what wakes a turn is taken before what starts one, whichever run it belongs to", async () => {
    await launches(40);
    await wakes("launch_7", "timeout");
    await wakes("launch_23");
    await wakes("9");
    const first = (await ask(3)).map((row) => row.inbox_id).sort();
    expect(first).toEqual(["inbox_crowd_9", "inbox_crowd_launch_23", "inbox_crowd_launch_7"]);
  });
  test("a launch, its children and what wakes them share one key", async () => {
    const { rows } = await kernel.test.pool.query(
      `SELECT i.run_key = hashtext(t.root_turn_id) AS is_kept FROM state.due i JOIN state.agent_turns t USING (project_id, agent_turn_id)`,
    );
    expect(rows).toHaveLength(41);
    expect(rows.every((row) => row.is_kept)).toBe(true);
  });
});

// The gate of the design in rows instead of seconds: eight slots of 100 ms claim 160 rows in the two seconds it allows.
describe("the gate: one project with 5,000 due turns, fifty others with one each", () => {
  const FIFTY = Array.from({ length: 50 }, (_, i) => `single_${String(i).padStart(2, "0")}`);
  beforeAll(async () => {
    for (const name of FIFTY) {
      await seedProject(kernel, name, [scripted("Solo", [{ deliver: "x" }], { worker_target: "gate" })]);
      await launchTurn(kernel, name, { target: "Solo" });
    }
  });
  test.each([1, 8])(
    "by %i at a time, each of the fifty is among the first 160 rows, and no claim is short",
    async (limit) => {
      await kernel.test.pool.query(
        `INSERT INTO state.due (project_id, agent_turn_id, worker_target, next_retry_at)
         SELECT 'crowd', 'turn_crowd_' || n, 'gate', now() - interval '1 hour' FROM generate_series(501, 5500) n`,
      );
      const claim = worker(["gate"]);
      const taken: string[] = [];
      for (let i = 0; i < 160 / limit; i++) taken.push(...(await claim(limit)));
      expect(taken).toHaveLength(160);
      expect(FIFTY.filter((name) => !taken.includes(name))).toEqual([]);
    },
  );
});

describe("a turn whose profile names no model", () => {
  test("is never taken by the built-in worker: it waits, and the product says which worker is missing, until one comes", async () => {
    await kernel.test.pool.query("UPDATE state.due SET claimed_by = 'gone'");
    const { agent_turn_id } = await launchTurn(kernel, "other_00", { target: "Foreign" });
    for (const targets of [["*"], ["fair"]]) expect(await worker(targets)()).toEqual([]);
    await kernel.test.pool.query(
      "INSERT INTO state.workers (worker_id, targets, version, project_id) VALUES ('w', ARRAY['*', 'fair'], '', '*')",
    );
    await kernel.test.pool.query("UPDATE state.due SET next_retry_at = now() - interval '5 s'");
    expect((await readHealth(kernel, "x")).starved_targets).toEqual(["fair"]);
    const foreign = { project_id: "other_00", worker_targets: ["fair"], worker_id: "py", limit: 16 };
    expect(await claimInbox(kernel, foreign)).toMatchObject([{ agent_turn_id }]);
  });
});

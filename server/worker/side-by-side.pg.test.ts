// Two consecutive versions on one database, as during a deployment: the last one that was merged, with its own sources and
// migrations, and this one. Turns are handed over between them in both directions, and each ends once.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { onTurnsEnded } from "@/server/kernel/batch/on-turns-ended";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { tunables } from "@/server/kernel/tunables";
import { migrate } from "@/server/migrate";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { checkInvariants } from "@/server/testing/invariants";
import { unpackNeighbour, whyNoNeighbour } from "@/server/testing/neighbour";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { launchTurn, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";

const P = "neighbours";
const why = whyNoNeighbour();
if (why !== null && process.env.CI) throw new Error(why);

let dir: string;
let database: TestDatabase;
let kernel: Kernel;
const children: ChildProcess[] = [];

beforeAll(async () => {
  if (why !== null) return;
  dir = makeScratch();
  unpackNeighbour(dir);
  database = await openTestDatabase({ isEmpty: true });
  kernel = createKernel({
    db: database.db,
    doorbell: createMemoryDoorbell(),
    onTurnsEnded,
    tunables: { ...tunables, pollMs: 100 },
  });
}, 60_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await database?.close();
  if (dir !== undefined) await removeScratch(dir);
});

/** A program of one of the two, in its own folder. */
function spawnIn(cwd: string, file: string, more: Record<string, string> = {}): ChildProcess {
  const env = { ...process.env, DATABASE_URL: database.url, SWITCHYARD_LOG: "warn", ...more };
  const child = spawn(process.execPath, ["--import", "tsx", file], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return child;
}
// Going back a version must be requested explicitly.
const workerIn = (cwd: string) =>
  spawnIn(cwd, "server/worker/main.ts", {
    SWITCHYARD_WORKER_CONCURRENCY: "4",
    SWITCHYARD_DRAIN_S: "2",
    SWITCHYARD_NEWER_DATABASE: "allow",
  });
const ended = (child: ChildProcess) => new Promise((done) => child.once("exit", done));

/** With the older version's own code: its own profiles, launched by its own verbs. */
const SEED = `
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { launch } from "@/server/kernel/launch/launch";
import { migrate } from "@/server/migrate";
import { wireKernel } from "@/server/wire";
const url = process.env.DATABASE_URL;
await migrate(url);
const kernel = wireKernel({ url, name: "switchyard-seed" });
const project_id = "${P}";
await createProject(kernel, { project_id, title: project_id });
const task = { target_strategy: "new", target_ref: "Child", instruction: "part" };
const tasks = Array.from({ length: 24 }, () => task);
const profiles = {
  Child: [{ think: "x", wait_ms: 250 }, { deliver: "{instruction}", wait_ms: 250 }],
  Parent: [{ think: "before" }, { call: "fork_join", arguments: { tasks } }, { deliver: "joined" }],
  Long: [...Array.from({ length: 8 }, (_, n) => ({ think: String(n), wait_ms: 800 })), { deliver: "long" }],
};
for (const [name, script] of Object.entries(profiles))
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, author_id: "test", profile: parseProfile({
    name, system_prompt: "You are {display_name}.", llm_config: { provider: "script", script }, max_steps: 20,
    delegation_policy: { target_tags: [] }, allowed_tools: ["fork_join"] }) }));
const args = { target_strategy: "new", target_ref: "Long", instruction: "begin" };
const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "test", args });
console.log("launched " + result.agent_turn_id);
await kernel.close();
process.exit();
`;

/** The turn that the older version launched on its own schema. */
async function seedByOld(): Promise<string> {
  fs.writeFileSync(path.join(dir, "seed.ts"), SEED);
  const seeding = spawnIn(dir, "seed.ts");
  let said = "";
  seeding.stdout?.on("data", (piece) => {
    said += piece;
  });
  await ended(seeding);
  return /launched (\S+)/.exec(said)?.[1] ?? `nothing was launched: ${said}`;
}

/** The workers that have held a turn of the run. */
async function holdersOf(agent_turn_id: string): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ lease_holder: string }>(
    `SELECT DISTINCT j.frame ->> 'lease_holder' AS lease_holder FROM state.journal j
     JOIN state.agent_turns t ON t.project_id = j.project_id AND t.agent_turn_id = j.entity_id
     WHERE j.kind = 'turn' AND t.root_turn_id = (SELECT root_turn_id FROM state.agent_turns WHERE agent_turn_id = $1)
       AND j.frame ->> 'lease_holder' IS NOT NULL`,
    [agent_turn_id],
  );
  return new Set(rows.map((row) => row.lease_holder));
}

async function endedOnce(): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT t.agent_turn_id, t.profile_name, t.status, t.error, count(j.*)::int AS ends FROM state.agent_turns t
     LEFT JOIN state.journal j ON j.project_id = t.project_id AND j.kind = 'task' AND j.entity_id = t.agent_turn_id
     WHERE t.worker_target <> 'human'
     GROUP BY t.project_id, t.agent_turn_id HAVING t.status <> 'success' OR count(j.*) <> 1`,
  );
  expect(rows).toEqual([]);
  expect((await checkInvariants(database.pool)).violations).toEqual([]);
}

test.skipIf(why !== null)(
  `the version before and this one on one database: ${why ?? "both directions, each turn ended once"}`,
  async () => {
    const long = await seedByOld();
    const old = workerIn(dir);
    await untilTurn(kernel, P, long, (turn) => turn.step_count >= 2, 30_000);
    // The deployment begins: the schema is migrated while a worker runs a turn.
    await migrate(database.url);
    const young = await startTestWorker(kernel, { worker_id: "young", concurrency: 4, graceMs: 2_000 });
    const fork = await launchTurn(kernel, P, { target: "Parent" });
    await untilTurn(kernel, P, fork.agent_turn_id, "ended", 60_000);
    expect((await holdersOf(fork.agent_turn_id)).size).toBeGreaterThan(1);

    // The old one stops, and this version continues the long turn.
    if ((await turnOf(kernel, P, long)).ended_at === null) {
      old.kill("SIGTERM");
      await ended(old);
    }
    expect(await untilTurn(kernel, P, long, "ended", 30_000)).toMatchObject({ status: "success" });

    // And back: the older one starts on the newer schema, and takes what this one hands on.
    const back = await launchTurn(kernel, P, { target: "Long" });
    await untilTurn(kernel, P, back.agent_turn_id, (turn) => turn.step_count >= 2);
    await young.stop();
    const again = workerIn(dir);
    const turn = await untilTurn(kernel, P, back.agent_turn_id, "ended", 60_000);
    expect(turn).toMatchObject({ status: "success", attempt: 1, handovers: 1, turn_epoch: 2 });
    const second = await launchTurn(kernel, P, { target: "Parent" });
    await untilTurn(kernel, P, second.agent_turn_id, "ended", 60_000);
    again.kill("SIGTERM");
    await ended(again);
    await endedOnce();
  },
  180_000,
);

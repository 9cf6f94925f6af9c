// With PgBouncer between the product and Postgres, as it is met: migrations in both of its modes, work in session mode, and
// a refusal in words where it lends connections and loses what was prepared on them.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { tunables } from "@/server/kernel/tunables";
import { migrate } from "@/server/migrate";
import { openTestDatabase } from "@/server/testing/database";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { noPooler, type Pooler, startPooler } from "@/server/testing/pooler";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { wireKernel } from "@/server/wire";
import { refuseUnfit } from "./embedded/refuse-unfit";

const quick = { ...tunables, pollMs: 50, beatMs: 200, statementMs: 600, quickStatementMs: 300, outcomeMs: 1_000 };
let dir: string;
let kernel: TestKernel;

beforeAll(async () => {
  dir = makeScratch();
  kernel = await openTestKernel();
});
afterAll(async () => {
  await kernel.close();
  await removeScratch(dir);
});

const pooled = async (mode: "session" | "transaction", ignored?: string): Promise<Pooler> => {
  const pooler = await startPooler(dir, { to: kernel.test.url, mode, ignored });
  onTestFinished(() => pooler.stop());
  return pooler;
};

const title = (what: string): string => (noPooler === undefined ? what : `${what} (not tried: ${noPooler})`);

test.skipIf(noPooler)(
  title("four processes start at once, in both modes: one migrates, and no lock stays behind"),
  async () => {
    for (const mode of ["session", "transaction"] as const) {
      const pooler = await pooled(mode);
      const empty = await openTestDatabase({ isEmpty: true });
      onTestFinished(() => empty.close());
      const url = pooler.through(empty.url);
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
      expect(applied.flat().length).toBeGreaterThan(10);
      expect(new Set(applied.flat()).size).toBe(applied.flat().length);
      // Once more, on connections that others have used.
      expect((await Promise.all(Array.from({ length: 4 }, () => migrate(url)))).flat()).toEqual([]);
      const { rows } = await empty.pool.query(
        "SELECT FROM pg_locks JOIN pg_database d ON d.oid = database WHERE locktype = 'advisory' AND datname = current_database()",
      );
      expect(rows).toEqual([]);
    }
  },
);

test.skipIf(noPooler)(
  title("in session mode a fork runs to its end, also when the pooler freezes and comes back"),
  async () => {
    const pooler = await pooled("session");
    const url = pooler.through(kernel.test.url);
    await refuseUnfit(url);
    const tasks = Array.from({ length: 6 }, () => ({
      target_strategy: "new",
      target_ref: "Child",
      instruction: "part",
    }));
    await seedProject(kernel, "pooled", [
      scripted("Parent", [{ call: "fork_join", arguments: { tasks } }, { deliver: "joined" }], {
        worker_target: "pooled",
        allowed_tools: ["fork_join"],
        delegation_policy: { target_tags: [] },
      }),
      scripted("Child", [{ think: "x", wait_ms: 200 }, { think: "y", wait_ms: 200 }, { deliver: "{instruction}" }], {
        worker_target: "pooled",
      }),
    ]);
    const wired = wireKernel({ url, name: "switchyard-pooled", tunables: quick });
    onTestFinished(() => wired.close());
    const worker = await startTestWorker(wired, { worker_id: "pooled", targets: ["pooled"] });
    onTestFinished(() => worker.stop());
    const { agent_turn_id } = await launchTurn(kernel, "pooled", { target: "Parent" });
    await untilTurn(kernel, "pooled", agent_turn_id, (turn) => turn.status === "suspended");
    pooler.freeze();
    await new Promise((done) => setTimeout(done, 1_500));
    pooler.thaw();
    const turn = await untilTurn(kernel, "pooled", agent_turn_id);
    expect(turn).toMatchObject({ status: "success", attempt: 1 });
    const { rows } = await kernel.test.pool.query(
      "SELECT status, attempt, count(*)::int FROM state.agent_turns WHERE project_id = 'pooled' AND depth = 2 GROUP BY 1, 2",
    );
    expect(rows).toEqual([{ status: "success", attempt: 1, count: 6 }]);
  },
  60_000,
);

test.skipIf(noPooler)(
  title("in transaction mode without prepared statements it is refused, with what to do"),
  async () => {
    const pooler = await pooled("transaction");
    await expect(refuseUnfit(pooler.through(kernel.test.url))).rejects.toThrow(
      /a pooler in front of it loses prepared statements.*pool_mode = session.*max_prepared_statements/,
    );
  },
);

test.skipIf(noPooler)(
  title("a pooler that does not take our start-up settings is refused, with the line it needs"),
  async () => {
    const pooler = await pooled("session", "");
    await expect(refuseUnfit(pooler.through(kernel.test.url))).rejects.toThrow(/ignore_startup_parameters = options/);
  },
);

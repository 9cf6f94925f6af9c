// Limits of a run: when one is reached, new turns wait, what runs goes on, and a person lets them go.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RunLimits } from "@/server/contract/run-limits";
import { callersOf, toNew } from "@/server/testing/callers";
import { checkInvariants } from "@/server/testing/invariants";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { launch } from "../launch/launch";
import { listInbox } from "../read-models/list-inbox";
import { readSnapshot } from "../read-models/read-snapshot";
import { leaseIdle } from "../reclaim/lease-idle";
import { stopTurn } from "../reclaim/stop-turn";
import { isFenced } from "./fenced";
import { setRunLimits } from "./set-run-limits";
import { startTurn } from "./start-turn";
import { takeWork } from "./take-work";

let kernel: TestKernel;
const P = "limits";
const T = "limits_target";
beforeAll(async () => {
  kernel = await openTestKernel();
  const llm_config = { provider: "script", script: [{ deliver: "done" }] };
  await seedProject(kernel, P, [{ name: "Plain", worker_target: T, llm_config }]);
  await seedProject(kernel, "elsewhere", [{ name: "Plain", worker_target: "elsewhere_target" }]);
});
beforeEach(async () => {
  kernel.probe = undefined;
  await taken();
});
afterAll(() => kernel.close());

const { deliver } = callersOf(() => kernel, P);
const taken = async () =>
  (await takeWork(kernel, { worker_targets: [T], worker_id: "w", limit: 16 })).flatMap((row) => row.turn ?? []);
const forked = async (count: number, limits?: RunLimits, more: object = {}) => {
  const answer = await launch(kernel, {
    project_id: P,
    tool: "fork_join",
    user: "ann",
    limits,
    args: { tasks: Array.from({ length: count }, (_, i) => toNew("Plain", { instruction: `part ${i}` })), ...more },
  });
  if (!("tasks" in answer.result)) throw new Error("a fork was launched");
  return { ...answer, result: answer.result };
};
const runOf = async (root_turn_id: string) => {
  const { frames } = await readSnapshot(kernel, { project_id: P, root_turn_id });
  const found = frames.find((frame) => frame.kind === "run" && frame.root_turn_id === root_turn_id);
  if (found?.kind !== "run") throw new Error("there is no run");
  return found;
};
const set = (root_turn_id: string, limits: Parameters<typeof setRunLimits>[1]["limits"]) =>
  setRunLimits(kernel, { project_id: P, root_turn_id, limits });
type Taken = Awaited<ReturnType<typeof taken>>[number];
const delivers = (turn: Taken) =>
  deliver({ ...turn, worker_id: "w" } as unknown as Parameters<typeof deliver>[0], "done");
/** As a worker's steps record it. */
const uses = (turn: Taken, { input_tokens = 0, output_tokens = 0, cost }: Usage) =>
  kernel.test.pool.query(
    "UPDATE state.agent_turns SET tokens_in = $3, tokens_out = $4, cost = $5 WHERE project_id = $1 AND agent_turn_id = $2",
    [P, turn.agent_turn_id, input_tokens, output_tokens, cost ?? null],
  );
/** Resolves when somebody waits for that session. */
const isBlocked = (pid: number) =>
  vi.waitFor(async () => {
    const waits = "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
    expect((await kernel.test.pool.query(waits, [pid])).rows).toHaveLength(1);
  }, 4_000);
type Usage = { input_tokens?: number; output_tokens?: number; cost?: number };

describe("turns_max", () => {
  test("lets as many turns begin as it says, in task order; the others wait and say why", async () => {
    const { root_turn_id, result } = await forked(5, { turns_max: 2 });
    const begun = await taken();
    expect(begun.map((turn) => turn.task_index).toSorted()).toEqual([0, 1]);
    expect(await runOf(root_turn_id)).toMatchObject({
      limits: { turns_max: 2 },
      held: { limit: "turns_max", max: 2, used: 2, waiting: 3 },
    });
    const { items } = await listInbox(kernel, { project_id: P, limit: 50, status: "queued" });
    expect(items.filter((line) => line.turn?.root_turn_id === root_turn_id).map((line) => line.reason)).toEqual(
      Array.from({ length: 3 }, () => "held: its run has reached a limit; raise it in the yard"),
    );
    for (const turn of begun) await delivers(turn);
    await leaseIdle(kernel);
    expect(await taken()).toEqual([]);
    expect(result.tasks).toHaveLength(5);

    const raised = await set(root_turn_id, { turns_max: 4 });
    expect(raised).toEqual({
      root_turn_id,
      limits: { turns_max: 4 },
      held: { limit: "turns_max", max: 4, used: 4, waiting: 1 },
    });
    const next = await taken();
    expect(next.map((turn) => turn.task_index).toSorted()).toEqual([2, 3]);
    expect(await set(root_turn_id, { turns_max: null })).toEqual({ root_turn_id, limits: {} });
    expect((await runOf(root_turn_id)).held).toBeUndefined();
    for (const turn of [...next, ...(await taken())]) await delivers(turn);
    expect((await turnOf(kernel, P, root_turn_id)).status).toBe("success");
  });

  test("holds back a task whose turn is made later, and lets it go", async () => {
    const { root_turn_id } = await forked(3, { turns_max: 1 }, { max_parallel: 1 });
    const [first] = await taken();
    if (!first) throw new Error("nothing was taken");
    await delivers(first);
    expect(await taken()).toEqual([]);
    expect((await runOf(root_turn_id)).held).toMatchObject({ used: 1, waiting: 1 });
    await set(root_turn_id, { turns_max: null });
    expect(await taken()).toHaveLength(1);
  });

  test("holds nothing of another run, also where they share an agent", async () => {
    const first = await forked(2, { turns_max: 1 });
    const other = await forked(2);
    const begun = await taken();
    expect(begun.filter((turn) => turn.root_turn_id === other.root_turn_id)).toHaveLength(2);
    const held = first.result.tasks[1];
    const reused = await launch(kernel, {
      project_id: P,
      tool: "delegate_async",
      user: "ann",
      into: first.root_turn_id,
      args: { target_strategy: "reuse", target_ref: begun[0]?.agent_id, instruction: "again" },
    });
    for (const turn of begun) await delivers(turn);
    expect(await taken()).toEqual([]);
    expect((await runOf(first.root_turn_id)).held).toMatchObject({ waiting: 2 });
    await set(first.root_turn_id, { turns_max: 10 });
    const ids = (await taken()).map((turn) => turn.agent_turn_id);
    expect(ids.toSorted()).toEqual(
      [held?.agent_turn_id, "agent_turn_id" in reused.result ? reused.result.agent_turn_id : ""].toSorted(),
    );
  });

  test("a held turn that somebody starts without a claim runs", async () => {
    const { root_turn_id, result } = await forked(2, { turns_max: 1 });
    const [first] = await taken();
    const held = result.tasks[1]?.agent_turn_id ?? "";
    const started = await startTurn(kernel, { project_id: P, agent_turn_id: held, turn_epoch: 1, worker_id: "w" });
    if (isFenced(started)) throw new Error("it was to start");
    expect(started.turn.status).toBe("running");
    for (const turn of [first, started.turn]) if (turn) await delivers(turn as Taken);
    expect((await turnOf(kernel, P, root_turn_id)).status).toBe("success");
  });

  test("a queued turn that is held while its agent's lease waits for its row is passed by", async () => {
    const { root_turn_id, result } = await forked(1);
    const [first] = await taken();
    if (!first) throw new Error("one was to begin");
    const again = async () => {
      const args = { target_strategy: "reuse", target_ref: first.agent_id, instruction: "again" };
      const into = { user: "ann", into: root_turn_id, args };
      const made = await launch(kernel, { project_id: P, tool: "delegate_async", ...into });
      return "agent_turn_id" in made.result ? made.result.agent_turn_id : "";
    };
    const [held, next] = [await again(), await again()];
    expect(result.tasks).toHaveLength(1);
    const other = await kernel.test.pool.connect();
    try {
      await other.query("BEGIN");
      await other.query("UPDATE state.due SET is_held = true WHERE project_id = $1 AND agent_turn_id = $2", [P, held]);
      const { rows } = await other.query("SELECT pg_backend_pid() AS pid");
      const ended = delivers(first);
      await isBlocked(rows[0].pid);
      await other.query("COMMIT");
      await ended;
    } finally {
      other.release();
    }
    expect((await turnOf(kernel, P, next)).status).toBe("dispatched");
    expect((await turnOf(kernel, P, held)).status).toBe("queued");
    await kernel.test.pool.query("UPDATE state.due SET is_held = false WHERE agent_turn_id = $1", [held]);
    for (const _ of [held, next]) for (const turn of await taken()) await delivers(turn);
    expect((await turnOf(kernel, P, held)).status).toBe("success");
  });

  test("a held turn that is stopped is over, and holds the run no more", async () => {
    const { root_turn_id, result } = await forked(2, { turns_max: 1 });
    await stopTurn(kernel, {
      project_id: P,
      agent_turn_id: result.tasks[1]?.agent_turn_id ?? "",
      scope: "turn",
      by: "ann",
    });
    expect((await runOf(root_turn_id)).held).toBeUndefined();
  });
});

describe("tokens_max and cost_max", () => {
  test.each([
    ["tokens_max", { tokens_max: 100 }, { input_tokens: 90, output_tokens: 20 }, 110],
    ["cost_max", { cost_max: 0.5 }, { input_tokens: 1, output_tokens: 1, cost: 0.75 }, 0.75],
  ] as const)(
    "%s holds what has not begun when a turn ends over it; what runs goes on",
    async (limit, limits, usage, used) => {
      const { root_turn_id } = await forked(3, limits, { max_parallel: 2 });
      const [first, second] = await taken();
      if (!first || !second) throw new Error("two were to begin");
      await uses(first, usage);
      await delivers(first);
      expect(await taken()).toEqual([]);
      expect((await runOf(root_turn_id)).held).toEqual({ limit, max: Object.values(limits)[0], used, waiting: 1 });
      await uses(second, { input_tokens: 1, output_tokens: 1 });
      await delivers(second);
      expect((await turnOf(kernel, P, second.agent_turn_id)).status).toBe("success");
      await set(root_turn_id, { [limit]: null });
      const [third] = await taken();
      if (!third) throw new Error("it was to go on");
      await delivers(third);
      expect((await turnOf(kernel, P, root_turn_id)).status).toBe("success");
    },
  );

  test("a limit that is lifted while the end of a turn waits for the run's row holds nothing", async () => {
    const { root_turn_id } = await forked(2, { tokens_max: 10 }, { max_parallel: 2 });
    const [first] = await takeWork(kernel, { worker_targets: [T], worker_id: "w", limit: 1 });
    if (!first?.turn) throw new Error("one was to begin");
    await uses(first.turn, { input_tokens: 20 });
    const other = await kernel.test.pool.connect();
    try {
      await other.query("BEGIN");
      await other.query("UPDATE state.runs SET limits = NULL WHERE root_turn_id = $1", [root_turn_id]);
      const { rows } = await other.query("SELECT pg_backend_pid() AS pid");
      const ended = delivers(first.turn);
      await isBlocked(rows[0].pid);
      await other.query("COMMIT");
      await ended;
    } finally {
      other.release();
    }
    expect((await runOf(root_turn_id)).held).toBeUndefined();
    expect(await taken()).toHaveLength(1);
  });

  test("also turns that were leased and that no worker had taken", async () => {
    const { root_turn_id } = await forked(3, { tokens_max: 10 });
    const [first] = await takeWork(kernel, { worker_targets: [T], worker_id: "w", limit: 1 });
    if (!first?.turn) throw new Error("one was to begin");
    await uses(first.turn, { input_tokens: 20 });
    await delivers(first.turn);
    expect(await taken()).toEqual([]);
    expect((await runOf(root_turn_id)).held).toMatchObject({ limit: "tokens_max", waiting: 2 });
    await set(root_turn_id, { tokens_max: 1_000 });
    expect(await taken()).toHaveLength(2);
  });
});

describe("is refused, and nothing is written", () => {
  test("a run that is unknown, of another project, or an import", async () => {
    const foreign = await launch(kernel, {
      project_id: "elsewhere",
      tool: "delegate_async",
      user: "ann",
      args: toNew("Plain"),
    });
    const imported = await forked(1);
    await kernel.test.pool.query("UPDATE state.runs SET source = 'import' WHERE root_turn_id = $1", [
      imported.root_turn_id,
    ]);
    const before = await countRows(kernel);
    for (const root of ["turn_none", foreign.root_turn_id, imported.root_turn_id])
      await expect(set(root, { turns_max: 1 })).rejects.toMatchObject({ code: "not_found" });
    expect(await countRows(kernel)).toEqual(before);
  });

  test("limits of a launch into a run", async () => {
    const { root_turn_id } = await forked(1);
    const before = await countRows(kernel);
    const into = {
      project_id: P,
      tool: "delegate_async" as const,
      user: "ann",
      args: toNew("Plain"),
      into: root_turn_id,
    };
    await expect(launch(kernel, { ...into, limits: { turns_max: 3 } })).rejects.toMatchObject({ code: "bad_request" });
    expect(await countRows(kernel)).toEqual(before);
  });
});

describe("costs", () => {
  const names = async (work: () => Promise<unknown>) => {
    const units: string[][] = [];
    kernel.probe = (at, all) => {
      if (at === "before-commit") units.push([...all]);
    };
    await work();
    kernel.probe = undefined;
    return units;
  };

  test("a claim is one statement, and reads no row that is held", async () => {
    const read = async () => {
      const { rows: plan } = await kernel.test.pool.query(
        "SELECT count(*)::int AS n FROM state.due WHERE claimed_by IS NULL AND queued_for IS NULL AND worker_target = $1",
        [T],
      );
      return plan[0].n;
    };
    const { root_turn_id } = await forked(40, { turns_max: 2 });
    expect(await read()).toBe(2);
    expect(await names(taken)).toEqual([["work_take"]]);
    expect(await read()).toBe(0);
    expect((await runOf(root_turn_id)).held).toMatchObject({ waiting: 38 });
  });

  test("nothing where a run has no limits: the same statements of a fork and of an end", async () => {
    const plain = await names(() => forked(2));
    const wide = await names(() => forked(2, { turns_max: 50 }));
    expect(wide).toEqual(plain);
    await taken();
    const { result } = await forked(1);
    const [turn] = await taken();
    if (!turn) throw new Error("one was to begin");
    expect(result.tasks).toHaveLength(1);
    expect((await names(() => delivers(turn))).flat()).not.toContain("run_hold");
  });
});

test("the invariants hold", async () => {
  const { violations } = await checkInvariants(kernel.test.pool, { project_id: P, when: "always" });
  expect(violations).toEqual([]);
});

// The inbox of a turn that has called three tools, as a state machine: three processes at once claim, acknowledge, defer,
// requeue and apply its rows, compared with a model.
import { afterAll, beforeAll, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import {
  type Act,
  checkMachine,
  type Machine,
  modelTest,
  modelTestMs,
  type Possible,
  subsetsOf,
} from "@/server/testing/machine";
import type { Kernel } from "../kernel";
import { requeueUnstarted } from "../reclaim/requeue-unstarted";
import { tunables } from "../tunables";
import { deferRow } from "../turns/defer-row";
import { isFenced } from "../turns/fenced";
import { resumeTurn } from "../turns/resume-turn";
import { suspendTurn } from "../turns/suspend-turn";
import { withUnit } from "../unit";
import { ackRow } from "./ack-row";
import { claimInbox } from "./claim-inbox";
import { reportResult } from "./report-result";
import { insertWait } from "./waits";

type Row = { status: string; by: string | null; retries: number; wait: string };
type Inbox = { turn: string; epoch: number; holder: string | null; cards: number; rows: Record<string, Row> };
type World = {
  project_id: string;
  agent_turn_id: string;
  call_ids: Record<string, string>;
  inbox_ids: Record<string, string>;
};

const CALLS = ["c0", "c1", "c2"];
const DEFERRALS = 2;

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel({
    tunables: { ...tunables, deferMs: 0, deferralsMax: DEFERRALS, processingMsMax: 3_600_000 },
  });
});
afterAll(() => kernel.close());

test(
  "inbox: whatever three processes do to its rows at once, some sequential order explains the result",
  async () => {
    await checkMachine(kernel, openInbox, modelTest(16, 30));
  },
  modelTestMs,
);

let opened = 0;

/** A turn that has called three tools and whose answers are all on their way: it is still running, or already suspended. */
async function openInbox(project_id: string): Promise<Machine<Inbox>> {
  const isAsleep = opened++ % 3 > 0;
  await seedProject(kernel, project_id, [{ name: "Agent", worker_target: project_id }]);
  const turn = await callersOf(() => kernel, project_id).running("Agent");
  const world: World = { project_id, agent_turn_id: turn.agent_turn_id, call_ids: {}, inbox_ids: {} };
  for (const name of CALLS) {
    const tool_call_id = `${project_id}_${name}`;
    world.call_ids[name] = tool_call_id;
    await withUnit(kernel, (unit) =>
      insertWait(unit, { ...turn, tool_call_id, tool_name: "ext", timeout_ms: 3_600_000 }),
    );
  }
  if (isAsleep) await suspendTurn(kernel, { ...turn, tool_call_ids: Object.values(world.call_ids) });
  for (const name of CALLS)
    await reportResult(kernel, {
      project_id,
      tool_call_id: world.call_ids[name] ?? "",
      status: "success",
      result: name,
    });
  const { rows } = await kernel.test.pool.query<{ inbox_id: string; correlation_id: string }>(
    "SELECT inbox_id, correlation_id FROM state.agent_inbox WHERE project_id = $1 AND message_type = 'tool_result'",
    [project_id],
  );
  for (const name of CALLS)
    world.inbox_ids[name] = rows.find((row) => row.correlation_id === world.call_ids[name])?.inbox_id ?? "";
  const row: Row = { status: "pending", by: null, retries: 0, wait: "received" };
  return {
    project_id,
    initial: {
      turn: isAsleep ? "suspended" : "running",
      epoch: 1,
      holder: isAsleep ? null : "w",
      cards: 0,
      rows: Object.fromEntries(CALLS.map((name) => [name, { ...row }])),
    },
    observe: () => observe(world),
    act: (state, dice, isAlone) => actOf(world, state, dice, isAlone),
  };
}

async function observe({ project_id, agent_turn_id, call_ids }: World): Promise<Inbox> {
  const { rows } = await kernel.test.pool.query<Omit<Inbox, "rows"> & { rows: (Row & { id: string })[] }>(
    `SELECT t.status AS turn, t.turn_epoch AS epoch, t.lease_holder AS holder, t.output_cards AS cards,
      (SELECT jsonb_agg(jsonb_build_object('id', i.correlation_id, 'status', i.status, 'by', i.claimed_by, 'retries', i.retry_count, 'wait', w.wait_status))
        FROM state.agent_inbox i JOIN state.turn_waiting_tools w ON w.project_id = i.project_id AND w.tool_call_id = i.correlation_id
        WHERE i.project_id = t.project_id) AS rows
     FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`,
    [project_id, agent_turn_id],
  );
  const [found] = rows;
  if (!found) throw new Error("the turn is gone");
  const named = CALLS.map((name) => {
    const { id: _id, ...row } = found.rows.find(({ id }) => id === call_ids[name]) ?? {
      id: "",
      status: "?",
      by: null,
      retries: 0,
      wait: "?",
    };
    // Once it is done, who had it does not matter.
    return [name, row.status === "consumed" ? { ...row, by: null } : row];
  });
  return { ...found, rows: Object.fromEntries(named) };
}

function actOf(world: World, state: Inbox, [which = 0, a = 0, b = 0]: number[], isAlone: boolean): Act<Inbox> {
  const name = CALLS[Math.floor(a * CALLS.length)] ?? "c0";
  const acts = [
    () => claim(world, 1 + Math.floor(b * 3), isAlone),
    () => claim(world, 3, isAlone),
    () => ack(world, name),
    () => defer(world, name),
    () => defer(world, name),
    () => requeue(world, name, isAlone),
    () => resume(world, name),
    () => resume(world, name),
    () => suspend(world, state.epoch),
  ];
  const act = acts[Math.floor(which * acts.length)];
  if (!act) throw new Error("there is nothing to do");
  return act();
}

const rowOf = (state: Inbox, name: string): Row => {
  const row = state.rows[name];
  if (!row) throw new Error(`the model has no row ${name}`);
  return row;
};
const isDue = ({ status }: Row): boolean => status === "pending" || status === "deferred";
const isOver = (state: Inbox): boolean => state.turn === "failed";
const done = (row: Row): Row => ({ ...row, status: "consumed", by: null });

function claim({ project_id }: World, limit: number, isAlone: boolean): Act<Inbox> {
  let worker = "";
  return {
    name: `claim ${limit}`,
    steps: [
      (state) => {
        const due = CALLS.filter((name) => isDue(rowOf(state, name)));
        // Which of them come first depends on when they became due.
        const sets = subsetsOf(due).filter((some) =>
          isAlone ? some.length === Math.min(limit, due.length) : some.length <= limit,
        );
        return sets.map((some) => {
          const next = structuredClone(state);
          for (const name of some) next.rows[name] = { ...rowOf(next, name), status: "processing", by: worker };
          return { state: next, said: `${some.length}` };
        });
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      return `${(await claimInbox(kernel, { worker_targets: [project_id], worker_id, limit, project_id })).length}`;
    },
  };
}

/** The refusals common to acknowledging and deferring; null = the worker holds the row. */
function refusal(row: Row, worker: string): string | null {
  if (row.status === "consumed") return "consumed";
  return row.status === "processing" && row.by === worker ? null : "conflict";
}

function ack({ project_id, inbox_ids }: World, name: string): Act<Inbox> {
  let worker = "";
  return {
    name: `ack ${name}`,
    steps: [
      (state) => {
        const row = rowOf(state, name);
        const no = refusal(row, worker);
        if (no !== null) return [{ state, said: no }];
        // A result that a suspended turn waits for is not discarded.
        if (state.turn === "suspended") return [{ state, said: "conflict" }];
        state.rows[name] = done(row);
        return [{ state, said: "consumed" }];
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      return codeOr(
        async () => (await ackRow(kernel, { project_id, inbox_id: inbox_ids[name] ?? "", worker_id })).status,
      );
    },
  };
}

function defer({ project_id, inbox_ids }: World, name: string): Act<Inbox> {
  let worker = "";
  return {
    name: `defer ${name}`,
    steps: [
      (state) => {
        const row = rowOf(state, name);
        const no = refusal(row, worker);
        if (no !== null) return [{ state, said: no }];
        if (row.retries < DEFERRALS) {
          state.rows[name] = { ...row, status: "deferred", by: null, retries: row.retries + 1 };
          return [{ state, said: "deferred" }];
        }
        return [{ state: failed(state), said: "consumed" }];
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      const input = { project_id, inbox_id: inbox_ids[name] ?? "", reason: "not yet", delay_ms: 0, worker_id };
      return codeOr(async () => (await deferRow(kernel, input)).status);
    },
  };
}

function failed(state: Inbox): Inbox {
  const rows = Object.fromEntries(
    CALLS.map((name) => {
      const row = rowOf(state, name);
      const wait = row.wait === "received" ? "dropped" : row.wait;
      return [name, row.status === "consumed" ? { ...row, wait } : { ...done(row), wait }];
    }),
  );
  return { ...state, turn: "failed", epoch: state.epoch + 1, holder: null, cards: state.cards + 1, rows };
}

/** The row's claimer goes silent and a watchdog finds it, or somebody has moved the row in between. */
function requeue({ project_id, inbox_ids }: World, name: string, isAlone: boolean): Act<Inbox> {
  return {
    name: `requeue ${name}`,
    steps: [
      (state) => {
        const row = rowOf(state, name);
        if (row.status !== "processing") return [{ state }];
        const next = structuredClone(state);
        next.rows[name] = { ...row, status: "pending", by: null };
        return isAlone ? [{ state: next }] : [{ state: next }, { state }];
      },
    ],
    perform: async (kernel) => {
      await kernel.db.pool.query(
        "UPDATE state.inbox_messages SET processed_at = now() - interval '2 hours' WHERE project_id = $1 AND inbox_id = $2 AND status = 'processing'",
        [project_id, inbox_ids[name]],
      );
      // Skipped while somebody else holds the row: it would stay silent, and the requeue of another row would find it.
      do await requeueUnstarted(kernel);
      while (await isSilent(kernel, project_id, inbox_ids[name]));
      return "";
    },
  };
}

async function isSilent(kernel: Kernel, ...row: unknown[]): Promise<boolean> {
  const { rows } = await kernel.db.pool.query(
    "SELECT 1 FROM state.agent_inbox WHERE project_id = $1 AND inbox_id = $2 AND status = 'processing' AND processed_at < now() - interval '1 hour'",
    row,
  );
  return rows.length > 0;
}

function resume({ project_id, agent_turn_id, inbox_ids }: World, name: string): Act<Inbox> {
  let worker = "";
  return {
    name: `resume ${name}`,
    steps: [
      (state): Possible<Inbox>[] => {
        const row = rowOf(state, name);
        if (state.turn === "running" && row.status === "consumed" && state.holder === worker)
          return [{ state, said: "running" }];
        if (row.status === "consumed" || isOver(state)) return [{ state, said: "ignored" }];
        if (state.turn === "running") {
          state.rows[name] = { ...row, status: "deferred", by: null, retries: row.retries + 1 };
          return [{ state, said: "deferred" }];
        }
        state.rows[name] = { ...done(row), wait: "applied" };
        const cards = state.cards + 1;
        const isLast = CALLS.every((one) => rowOf(state, one).wait !== "received");
        if (!isLast) return [{ state: { ...state, cards }, said: "suspended" }];
        return [
          { state: { ...state, cards, turn: "running", epoch: state.epoch + 1, holder: worker }, said: "running" },
        ];
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      const answer = await resumeTurn(kernel, {
        project_id,
        agent_turn_id,
        inbox_id: inbox_ids[name] ?? "",
        worker_id,
      });
      return answer?.status ?? "none";
    },
  };
}

/** Suspending reads what has arrived, so here it is never suspended: all the answers are there. */
function suspend({ project_id, agent_turn_id }: World, turn_epoch: number): Act<Inbox> {
  return {
    name: `suspend @${turn_epoch}`,
    steps: [
      (state) => {
        if (state.turn !== "running" || state.epoch !== turn_epoch) return [{ state, said: "fenced" }];
        const came = CALLS.filter((name) => rowOf(state, name).wait === "received");
        for (const name of came) state.rows[name] = { ...done(rowOf(state, name)), wait: "applied" };
        return [{ state: { ...state, cards: state.cards + came.length }, said: "running" }];
      },
    ],
    perform: async (kernel) => {
      const answer = await suspendTurn(kernel, { project_id, agent_turn_id, turn_epoch, tool_call_ids: [] });
      return isFenced(answer) ? "fenced" : answer.status;
    },
  };
}

async function codeOr(call: () => Promise<string>): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "conflict") return "conflict";
    throw error;
  }
}

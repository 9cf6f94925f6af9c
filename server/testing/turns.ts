// Turns for tests: launched by a person, run by a worker of the test's own, and waited for.
import type * as z from "zod";
import type { BoxCard } from "@/server/contract/box";
import type { DelegateResult } from "@/server/contract/delegation";
import type { Frame } from "@/server/contract/frame";
import { Script, type ScriptStep } from "@/server/contract/script";
import { isEnded, type TurnStatus } from "@/server/contract/turn";
import { readBoxStretches } from "@/server/kernel/cardbox/read-box-cards";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { startWorker, type Worker, type WorkerOptions } from "@/server/worker/loop";
import type { Model } from "@/server/worker/models/model";
import { scriptModel } from "@/server/worker/models/script-model";

/** A worker that polls often and tolerates no error; stop it before the kernel is closed. */
export function startTestWorker(kernel: Kernel, options: Partial<WorkerOptions> = {}): Promise<Worker> {
  return startWorker(kernel, { worker_id: "w1", targets: ["*"], concurrency: 8, version: "test", ...options });
}

/** The scripted model without its pauses. */
export const inNoTime: Model = {
  ...scriptModel,
  call: (request, signal) => {
    const script = Script.parse(request.llm_config.script).map((step) => ({ ...step, wait_ms: 0 }));
    return scriptModel.call({ ...request, llm_config: { ...request.llm_config, script } }, signal);
  },
};

/** The body of a scripted profile. */
export const scripted = (name: string, script: z.input<typeof ScriptStep>[], more: Record<string, unknown> = {}) => ({
  name,
  llm_config: { provider: "script", script },
  ...more,
});

export type Launched = { target: string; instruction?: string; strategy?: "new" | "reuse" | "clone"; user?: string };

export async function launchTurn(kernel: Kernel, project_id: string, launched: Launched): Promise<DelegateResult> {
  const { result } = await launch(kernel, {
    project_id,
    tool: "delegate_async",
    user: launched.user ?? "test",
    args: {
      target_strategy: launched.strategy ?? "new",
      target_ref: launched.target,
      instruction: launched.instruction ?? "begin",
    },
  });
  if (!("agent_turn_id" in result)) throw new Error("a delegation was launched and no turn came back");
  return result;
}

export async function turnOf(kernel: Kernel, project_id: string, agent_turn_id: string): Promise<TurnRow> {
  const { rows } = await kernel.db.pool.query<TurnRow>(
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [project_id, agent_turn_id],
  );
  const [row] = rows;
  if (!row) throw new Error(`turn ${agent_turn_id} not found`);
  return row;
}

/** Fails with what the turn was doing. Errors of a database that is away are waited out. */
export async function untilTurn(
  kernel: Kernel,
  project_id: string,
  agent_turn_id: string,
  is: TurnStatus | "ended" | ((turn: TurnRow) => boolean | Promise<boolean>) = "ended",
  timeoutMs = 25_000,
): Promise<TurnRow> {
  const isThere = (turn: TurnRow) =>
    typeof is === "function" ? is(turn) : is === "ended" ? isEnded(turn.status) : turn.status === is;
  let last: unknown;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) {
    try {
      const turn = await turnOf(kernel, project_id, agent_turn_id);
      if (await isThere(turn)) return turn;
      last = `${turn.status}, epoch ${turn.turn_epoch}, note ${turn.note}, error ${turn.error}`;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`turn ${agent_turn_id} did not get there in ${timeoutMs} ms: ${last}`);
}

/** The cards that the turn has written, in order. */
export async function outputOf(kernel: Kernel, turn: TurnRow): Promise<BoxCard[]> {
  const box_id = turn.output_box_id;
  if (box_id === null) throw new Error(`turn ${turn.agent_turn_id} has no output box yet`);
  const [box] = await readBoxStretches(kernel, {
    project_id: turn.project_id,
    stretches: [{ box_id, from: turn.output_start ?? 0, limit: 10_000 }],
  });
  const cards = box?.cards ?? [];
  return cards.filter((card) => card.origin === `turn:${turn.agent_turn_id}`);
}

export async function framesOf<K extends Frame["kind"]>(
  kernel: Kernel,
  project_id: string,
  kind: K,
): Promise<Extract<Frame, { kind: K }>[]> {
  const { rows } = await kernel.db.pool.query<{ frame: Extract<Frame, { kind: K }> }>(
    "SELECT frame FROM state.journal WHERE project_id = $1 AND kind = $2 ORDER BY xid, event_id",
    [project_id, kind],
  );
  return rows.map((row) => row.frame);
}

/** A delivered text, or the fields of a JSON deliverable. */
export async function deliverableOf(kernel: Kernel, turn: TurnRow): Promise<unknown> {
  const card = (await outputOf(kernel, turn)).find((one) => one.card_id === turn.deliverable_card_id);
  return card?.content?.kind === "text" ? card.content.text : card?.content?.kind === "json" && card.content.data;
}

// What was still going on when its run was exported: in the copy it has ended, because nobody here works at it. Each turn gets a
// deliverable that says so.
import { hash } from "node:crypto";
import type { BatchLine, HumanRequestLine, StepLine, TurnLine } from "@/server/contract/bundle/lines";
import { isLive } from "@/server/contract/bundle/lines";
import type { PlanNodeLine, PlanRunLine } from "@/server/contract/bundle/plan-lines";
import type { BoxLine, CardLine } from "@/server/contract/bundle/store-lines";
import { draftCard } from "../cardbox/draft-card";
import type { Kernel } from "../kernel";
import { fallbackDeliverable } from "../turns/fallback-deliverable";
import type { Ended, WriteInput } from "./writing";

const LIVE_CODE = "imported_while_live";

export async function endLines(kernel: Kernel, { project_id, source }: WriteInput): Promise<Ended> {
  const ended: Ended = { turns: new Map(), cards: [], heldCards: new Map(), boxes: [], appended: new Map() };
  const at = source.exported_at;
  for await (const line of source.lines("turns.jsonl")) {
    const turn = line as TurnLine;
    if (!isLive(turn.status)) continue;
    const { agent_turn_id, agent_id, step_count } = turn;
    const error = `the run was exported while this turn was ${turn.status}; the copy does not go on`;
    const card_id = `live_${digestOf(`card|${agent_turn_id}`)}`;
    const content = fallbackDeliverable({
      status: "canceled",
      error_code: "imported_while_live",
      error,
      agent_turn_id,
      step_count,
    });
    const card = draftCard(kernel, {
      project_id,
      card: { card_id, type: "task.deliverable", author_id: "switchyard", content },
      metadata: { agent_turn_id },
    });
    ended.cards.push(lineOf(card, at));
    ended.heldCards.set(card_id, { role: card.role, type: card.type, token_count: card.token_count });
    const output_box_id = turn.output_box_id ?? `live_${digestOf(`box|${agent_turn_id}`)}`;
    if (turn.output_box_id === null)
      ended.boxes.push(boxOf({ box_id: output_box_id, agent_id, agent_turn_id, card_id, at }));
    else ended.appended.set(output_box_id, [...(ended.appended.get(output_box_id) ?? []), card_id]);
    ended.turns.set(agent_turn_id, {
      status: "canceled",
      output_box_id,
      output_start: turn.output_start ?? 0,
      deliverable_card_id: card_id,
      error,
      ended_at: at,
    });
  }
  return ended;
}

export function endTurnLine(turn: TurnLine, { turns }: Ended): TurnLine {
  const end = turns.get(turn.agent_turn_id);
  return end ? { ...turn, ...end, error_code: "imported_while_live" } : turn;
}

export const endStep = (step: StepLine, at: string): StepLine =>
  step.status === "started" ? { ...step, status: "failed", error: step.error ?? LIVE_CODE, ended_at: at } : step;

export const endRequest = (request: HumanRequestLine, at: string): HumanRequestLine =>
  request.status === "open"
    ? { ...request, status: "dropped", reason: request.reason ?? LIVE_CODE, decided_at: at }
    : request;

/** The tasks of a batch that has ended may still run: what went on when its gate had closed. */
export function endBatch(batch: BatchLine, at: string): BatchLine {
  const tasks = batch.tasks.map((task) =>
    task.status === "pending" || task.status === "dispatched"
      ? { ...task, status: "canceled" as const, error_detail: task.error_detail ?? LIVE_CODE }
      : task,
  );
  return batch.status === "running" ? { ...batch, tasks, status: "canceled", ended_at: at } : { ...batch, tasks };
}

/** What starts a node looks at runs that run: none of these does. */
export const endPlanRun = (run: PlanRunLine, at: string): PlanRunLine =>
  run.status === "running" ? { ...run, status: "canceled", ended_at: at } : run;

/** As a plan that is stopped ends its nodes (plan/end-plan.ts). */
export function endPlanNode(node: PlanNodeLine, at: string): PlanNodeLine {
  if (node.status === "running") return { ...node, status: "canceled", error_code: LIVE_CODE, ended_at: at };
  if (node.status !== "waiting" && node.status !== "held") return node;
  const reason = "skipped: the run was exported before it started; the copy does not go on";
  return { ...node, status: "skipped", reason, error_code: LIVE_CODE, ended_at: at };
}

type Box = { box_id: string; agent_id: string; agent_turn_id: string; card_id: string; at: string };

const boxOf = ({ box_id, agent_id, agent_turn_id, card_id, at }: Box): BoxLine => ({
  box_id,
  kind: "output",
  owner_agent_id: agent_id,
  owner_turn_id: agent_turn_id,
  card_ids: [card_id],
  origins: [[1, "sys"]],
  receipt: null,
  created_at: at,
});

const lineOf = (card: ReturnType<typeof draftCard>, at: string): CardLine => ({
  card_id: card.card_id,
  content: card.content,
  gone: null,
  tool_calls: null,
  tool_call_id: null,
  ttl_seconds: null,
  expires_at: null,
  deleted_at: null,
  metadata: card.metadata as CardLine["metadata"],
  content_hash: card.content_hash,
  token_count: card.token_count,
  created_at: at,
});

const digestOf = (text: string): string => hash("sha256", text).slice(0, 32);

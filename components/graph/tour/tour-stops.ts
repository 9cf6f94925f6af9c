// What each step of the tour points at, picked by its role in the run, so that the tour works in any project. Pure.
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import type { Receipt } from "@/server/contract/pack";
import { gaugeOf } from "@/server/contract/tokens";
import type { Link } from "../plan/yard-turns";

export const TOUR_STEPS = 5;

export type Handover = { caller: TurnFrame; callee: TurnFrame };
export type LeftBehind = Handover & { cards: number; reason: string | undefined };

/** Null for an address that names no step. */
export const tourStep = (param: number | null): number | null =>
  param !== null && param >= 1 && param <= TOUR_STEPS ? param : null;

/** An agent's turn whose window is known, or else the first turn of an agent. */
export function wagonOf(turns: readonly TurnFrame[]): TurnFrame | undefined {
  const own = turns.filter((turn) => !turn.is_human);
  return own.find((turn) => gaugeOf(turn) !== null && turn.window_tokens !== undefined) ?? own[0];
}

/** The first fork among these turns. */
export function forkOf(turns: readonly TurnFrame[], batches: Iterable<BatchFrame>): BatchFrame | undefined {
  const callers = new Set(turns.map((turn) => turn.agent_turn_id));
  let first: BatchFrame | undefined;
  for (const batch of batches)
    if (batch.tool_name === "fork_join" && callers.has(batch.parent_agent_turn_id))
      if (first === undefined || batch.created_at < first.created_at) first = batch;
  return first;
}

/** From agent to agent, the deepest first: who was called itself has most to leave behind. An inferred call handed nothing over. */
export function handoversOf(turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>): Handover[] {
  const byId = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  return turns
    .flatMap((callee) => {
      const link = links.get(callee.agent_turn_id);
      const caller = byId.get(link?.source ?? "");
      const isReal = caller !== undefined && !caller.is_human && !callee.is_human && link?.edge?.is_inferred !== true;
      return isReal && callee.context_cards > 0 ? [{ caller, callee }] : [];
    })
    .sort((a, b) => b.callee.depth - a.callee.depth);
}

/** What a rule kept back comes before what was only there twice. */
export function leftBehindOf(
  handovers: readonly Handover[],
  receipts: readonly (Receipt | undefined)[],
): LeftBehind | undefined {
  for (const verdict of ["withheld", "duplicate"] as const)
    for (const [index, handover] of handovers.entries()) {
      const line = receipts[index]?.lines.find((one) => one.verdict === verdict);
      if (line) return { ...handover, cards: receipts[index]?.left_out_cards ?? line.cards, reason: line.reason };
    }
  return undefined;
}

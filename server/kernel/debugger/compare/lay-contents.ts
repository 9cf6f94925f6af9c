// What was read of a turn as the list of what it was given and wrote. Pure.
import type { TurnContents, TurnItem } from "@/server/contract/run-compare/find-parting";
import { SYSTEM, TOOLS } from "../common-prefix";
import type { CardMark } from "../read-card-facts";
import type { RunTurn } from "./read-run-turns";

/**
 * Who called and to whom it is answered is another turn in each run, whatever was changed. The sidecar of a context pack is the record
 * of how it was built, full of ids and hashes, and no model is ever sent it: what was read is the pack.
 */
export const OF_THE_RUN: ReadonlySet<string> = new Set([
  "meta.parent_pointer",
  "meta.delegation_context",
  "meta.context_pack_sidecar",
]);

export type StepRow = {
  agent_turn_id: string;
  step_id: string;
  ordinal: number;
  started_at: string;
  head: string[] | null;
};
export type TurnCards = { given: string[]; written: string[] };

/** Of a person only the task counts: what they deliver names what they launched. */
export function cardsOf(turn: RunTurn, boxes: ReadonlyMap<string, string[]>): TurnCards {
  const output = boxes.get(turn.output_box_id ?? "") ?? [];
  const context = boxes.get(turn.context_box_id) ?? [];
  if (turn.is_human) return { given: context, written: [] };
  const { output_start, output_cards } = turn;
  return {
    given: [...output.slice(0, output_start), ...context],
    written: output.slice(output_start, output_start + output_cards),
  };
}

export type Laying = {
  /** The other turn is what it was forked from, or was forked from the same. */
  is_fork: boolean;
  cards: TurnCards;
  steps: readonly StepRow[];
  /** Of all turns. */
  stepById: ReadonlyMap<string, StepRow>;
  facts: ReadonlyMap<string, CardMark>;
  wordsOf: (card_id: string) => string;
  /** Of its profile's version; null = not known. */
  model: string | null;
};

export function layContents(turn: RunTurn, laying: Laying): TurnContents {
  const { is_fork, cards, steps, stepById, facts, wordsOf, model } = laying;
  const { forked_from } = turn;
  const begins_at = is_fork ? (forked_from?.ordinal ?? 1) : 1;
  const stepOf = (fact: CardMark | undefined): number | null => {
    const step = stepById.get(fact?.step_id ?? "");
    if (step?.agent_turn_id === turn.agent_turn_id) return step.ordinal;
    // What a fork begins with was written by steps of its original.
    return step && step.agent_turn_id === forked_from?.agent_turn_id ? step.ordinal - begins_at + 1 : null;
  };
  const itemOf = (card_id: string): TurnItem => {
    const fact = facts.get(card_id);
    return {
      ...{ card_id, type: fact?.type ?? "unknown", words: wordsOf(card_id) },
      ...{ step: stepOf(fact), at_ms: fact?.created_ms ?? 0 },
    };
  };
  const changed = forked_from ? [...forked_from.replaced, ...forked_from.followed] : [];
  return {
    ...{ profile_name: turn.profile_name, model, status: turn.status },
    started_ms: Date.parse(turn.created_at),
    ended_ms: turn.ended_at === null ? null : new Date(turn.ended_at).getTime(),
    given: cards.given.map(itemOf).filter(({ type }) => !OF_THE_RUN.has(type)),
    written: cards.written.map(itemOf),
    heads: steps.flatMap(({ ordinal, started_at, head }) => {
      const at = (type: string) => head?.find((id) => facts.get(id)?.type === type);
      const [system, tools] = [at(SYSTEM), at(TOOLS)];
      if (system === undefined && tools === undefined) return [];
      return {
        ...{ step: ordinal, at_ms: new Date(started_at).getTime() },
        ...{ system: system ? wordsOf(system) : "", tools: tools ? wordsOf(tools) : "" },
      };
    }),
    begins_at,
    edited: new Set([
      ...changed.flatMap(({ card_id, with: put }) => [card_id, put ?? card_id]),
      ...(forked_from?.dropped ?? []),
    ]),
  };
}

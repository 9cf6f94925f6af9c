// The card that a turn delivers. Its hash and weight need nothing of the turn, so they are worked out while the turn's locks are waited for.
import type { Card, CardContent } from "@/server/contract/card";
import type { KernelError } from "@/server/contract/errors";
import type { EndStatus } from "@/server/contract/turn";
import { attempt, pass } from "../attempt";
import { draftCard } from "../cardbox/draft-card";
import type { Unit } from "../unit";
import type { TurnCard } from "./append-cards";
import { fallbackDeliverable } from "./fallback-deliverable";
import type { EndingRow } from "./turn-row";

type Delivery = {
  project_id: string;
  status: EndStatus;
  content: CardContent | null;
  cards?: TurnCard[];
};

/** Its id, time, author and turn are added later. A refusal is thrown only if the turn is still the caller's: otherwise the answer is Fenced. */
export type Drafted = Card | KernelError;

/**
 * In order; undefined where the content is null and a fallback is written. Waits until this turn of the loop is over, so that the statements
 * that lock the turns are on their way before it works.
 */
export async function draftDeliverables(unit: Unit, deliveries: readonly Delivery[]): Promise<(Drafted | undefined)[]> {
  await new Promise<void>((done) => process.nextTick(done));
  return deliveries.map(({ content, ...delivery }) =>
    content === null ? undefined : attempt(() => draftOf(unit, delivery, content)),
  );
}

type EndOfTurn = Omit<Delivery, "project_id"> & {
  row: EndingRow;
  drafted?: Drafted;
  step?: { note?: string };
  error_code?: string;
  error?: string;
};

/** The deliverable of a turn: its own, or one that says what happened. */
export function deliverableCard(unit: Unit, end: EndOfTurn): Card {
  const { row, status, content, error_code, error } = end;
  const { project_id, agent_turn_id, trace_id, agent_id } = row;
  if (content === null) {
    const last_note = end.step?.note ?? row.note ?? undefined;
    const facts = { status, error_code, error, agent_turn_id, step_count: row.step_count ?? 0, last_note };
    const told = { agent_turn_id, trace_id, is_fallback: true };
    return draftOf(unit, { ...end, project_id }, fallbackDeliverable(facts), told);
  }
  const card = end.drafted ? pass(end.drafted) : draftOf(unit, { ...end, project_id }, content);
  return {
    ...card,
    // It comes after the cards of its step, which are drafted now.
    card_id: unit.kernel.newId(),
    created_at: unit.kernel.now().toISOString(),
    author_id: agent_id,
    // Spread in the middle, which is faster; what was drafted says nothing of its turn yet.
    metadata: { agent_turn_id, trace_id, ...card.metadata, author_id: agent_id },
  };
}

/** The author is a placeholder where an agent delivers: it is known when the turn is locked. */
function draftOf(
  unit: Unit,
  { project_id, status, cards = [] }: Omit<Delivery, "content">,
  content: CardContent,
  metadata: Record<string, string | boolean> = {},
): Card {
  const card: TurnCard = {
    type: "task.deliverable",
    author_id: "switchyard",
    content,
    metadata: { ...metadata, status },
  };
  return draftCard(unit.kernel, { project_id, card, bad_text: "mend", path: `cards.${cards.length}` });
}

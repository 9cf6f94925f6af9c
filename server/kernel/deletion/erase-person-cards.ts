// Erases some of the cards that a person wrote, with their copies and what quotes them. The author of what is left becomes a pseudonym:
// so the next unit finds the next cards, wherever a process died.
import type { DeletionCounts } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import type { TurnPlace } from "./close-boxes";
import type { DeletionKey } from "./deletion-row";
import { eraseWithCopies } from "./erase-with-copies";
import { agentOf } from "./person-kinds";

/** Cards of one unit, and copies of them. */
const CARDS_MAX = 100;
const COPIES_MAX = 10_000;
/** Turns of the person in one unit. */
const TURNS_MAX = 20;

// What the person writes from now on is not what somebody asked to erase. A profile's body stays: agents are made of it.
const NEXT = `
  SELECT c.card_id FROM cards c
  WHERE c.tenant_id = $1 AND c.metadata ->> 'author_id' = $3 AND starts_with(c.metadata ->> 'author_id', 'human_')
    AND c.metadata ->> 'type' <> 'sys.profile'
    AND c.created_at <= (SELECT d.begun_at FROM state.deletions d WHERE d.project_id = $1 AND d.deletion_id = $2)
  ORDER BY c.created_at, c.card_id LIMIT ${CARDS_MAX}`;
// What a person told agents is written by the tool that handed it over: it is found from the person's turns. $4 and $5: the last one.
const TOLD = `
  WITH turns AS MATERIALIZED (
    SELECT t.agent_turn_id, t.created_at FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_id = $3 AND (t.created_at, t.agent_turn_id) > (coalesce($4::timestamptz, '-infinity'), coalesce($5::text, ''))
      AND t.created_at <= (SELECT d.begun_at FROM state.deletions d WHERE d.project_id = $1 AND d.deletion_id = $2)
    ORDER BY t.created_at, t.agent_turn_id LIMIT ${TURNS_MAX}
  ), begun AS MATERIALIZED (
    SELECT b.instruction_card_id, b.context_box_id FROM turns t CROSS JOIN LATERAL (
      SELECT b.instruction_card_id, b.context_box_id FROM state.agent_turns b
      WHERE b.project_id = $1 AND b.parent_turn_id = t.agent_turn_id AND b.parent_turn_id IS NOT NULL OFFSET 0) b
  ), named AS (
    SELECT b.instruction_card_id AS card_id FROM begun b WHERE b.instruction_card_id IS NOT NULL
    UNION SELECT c.card_id FROM begun b
      CROSS JOIN LATERAL (SELECT k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = b.context_box_id OFFSET 0) k
      CROSS JOIN LATERAL unnest(k.card_ids) AS i(card_id)
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = i.card_id AND c.metadata ->> 'type' = 'meta.delegation_context'
  )
  SELECT t.created_at::text AS at, t.agent_turn_id AS id, ARRAY(
    SELECT c.card_id FROM named n JOIN cards c ON c.tenant_id = $1 AND c.card_id = n.card_id AND c.content <> 'null') AS card_ids
  FROM turns t ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT 1`;
type Person = DeletionKey & { user: string; pseudonym: string; place: TurnPlace | null };
/** `place`: the last turn that was looked at. */
export type ErasedCards = { counts: DeletionCounts; place?: TurnPlace };

/** null when there are none left. */
export async function erasePersonCards(unit: Unit, person: Person): Promise<ErasedCards | null> {
  const { project_id, deletion_id, user, place } = person;
  const values = [project_id, deletion_id, agentOf(user)];
  const own = await unit.query<{ card_id: string }>("person_cards", NEXT, values);
  if (own.length > 0)
    return {
      counts: await eraseSome(
        unit,
        person,
        own.map((card) => card.card_id),
      ),
    };
  const [last] = await unit.query<TurnPlace & { card_ids: string[] }>("person_told", TOLD, [
    ...values,
    place?.at ?? null,
    place?.id ?? null,
  ]);
  if (!last) return null;
  const { card_ids, at, id } = last;
  return { counts: card_ids.length > 0 ? await eraseSome(unit, person, card_ids) : {}, place: { at, id } };
}

function eraseSome(unit: Unit, person: Person, card_ids: string[]): Promise<DeletionCounts> {
  const { project_id, deletion_id, user, pseudonym } = person;
  const author = { from: agentOf(user), to: agentOf(pseudonym) };
  return eraseWithCopies(unit, {
    ...{ project_id, deletion_id, card_ids, author },
    by: author.to,
    copies_max: COPIES_MAX,
    refuse: () =>
      new KernelError(
        "conflict",
        `user: cards of the person have over ${COPIES_MAX} copies; delete the runs that made them, then erase the person`,
        { path: "user" },
      ),
  });
}

// Two turns of one place, in two runs: the first card that they were not both given, and what each has delivered.
import { type Card, contentText, Role } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { DifferingCard, TurnDifference } from "@/server/contract/plan/run-drawing";
import { getCards } from "../cardbox/get-cards";
import { readBoxIds } from "../cardbox/read-box";
import { OF_THE_RUN } from "../debugger/compare/lay-contents";
import { type Reader, read } from "../reader";

/** Each side is cut to so many characters. */
const TEXT_MAX = 20_000;
/** Cards that the kernel makes anew have other ids and the same words: so many pairs are read to find the first other words. */
const PAIRS_MAX = 200;

const TURNS = `
  SELECT t.agent_turn_id, t.context_box_id, t.deliverable_card_id FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])`;

type Row = { agent_turn_id: string; context_box_id: string; deliverable_card_id: string | null };
export type ReadTurnDifference = { project_id: string; a: string; b: string };

/** not_found for a turn that is not in the project. */
export async function readTurnDifference(reader: Reader, input: ReadTurnDifference): Promise<TurnDifference> {
  const { project_id } = input;
  const rows = await read<Row>(reader, "turns_compared", TURNS, [project_id, [input.a, input.b]]);
  const [a, b] = [input.a, input.b].map((id) => {
    const row = rows.find(({ agent_turn_id }) => agent_turn_id === id);
    if (!row) throw new KernelError("not_found", `turn ${id} not found`, { agent_turn_id: id });
    return row;
  });
  if (!a || !b) throw new Error("two turns were asked for");
  const boxes = await readBoxIds(reader, { project_id, box_ids: [a.context_box_id, b.context_box_id] });
  const [left, right] = [boxes.get(a.context_box_id) ?? [], boxes.get(b.context_box_id) ?? []];
  const context = await firstOther(reader, project_id, left, right);
  const asked = [a.deliverable_card_id, b.deliverable_card_id].filter((id) => id !== null);
  const cards = new Map((await getCards(reader, { project_id, card_ids: asked })).map((card) => [card.card_id, card]));
  const delivered = (id: string | null) => shown(cards.get(id ?? ""));
  const [mine, theirs] = [delivered(a.deliverable_card_id), delivered(b.deliverable_card_id)];
  return { ...(context && { context }), deliverable: { ...(mine && { a: mine }), ...(theirs && { b: theirs }) } };
}

async function firstOther(
  reader: Reader,
  project_id: string,
  left: readonly string[],
  right: readonly string[],
): Promise<TurnDifference["context"]> {
  const others = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => i)
    .filter((i) => left[i] !== right[i])
    .slice(0, PAIRS_MAX);
  const ids = others.flatMap((i) => [left[i], right[i]]);
  const cards = new Map((await getCards(reader, { project_id, card_ids: ids })).map((card) => [card.card_id, card]));
  const at = (list: readonly string[], i: number) => shown(cards.get(list[i] ?? ""));
  for (const index of others) {
    const [a, b] = [at(left, index), at(right, index)];
    if (a && b && a.type === b.type && (a.text === b.text || OF_THE_RUN.has(a.type))) continue;
    return { index, ...(a && { a }), ...(b && { b }), cards_a: left.length, cards_b: right.length };
  }
  return undefined;
}

function shown(card: Card | undefined): DifferingCard | undefined {
  if (!card) return undefined;
  const { card_id, content, metadata } = card;
  const role = Role.safeParse(metadata.role).data ?? "user";
  return { card_id, type: String(metadata.type), role, text: contentText(content).slice(0, TEXT_MAX) };
}

// The edits of one hand-over: cards that a person swaps or drops where they are handed over. Both halves of a tool call go or
// change together, as in a fork of a turn. A copy's id is derived from what it replaces and says, so that packing it twice gives
// one card, and one receipt hash.
import { canonicalJson } from "@/server/contract/canonical-json";
import { type Card, type CardContent, EDIT_CARD, type NewCard } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { sha256 } from "../cardbox/canonical-json";
import { draftCard } from "../cardbox/draft-card";
import { planFork } from "../cardbox/plan-fork";
import type { Kernel } from "../kernel";

/** Without `with` the card is dropped. */
export type CardEdit = { card_id: string; with?: CardContent };
export type EditedCard = { copy: Card } | { dropped: string };

export type EditCards = {
  project_id: string;
  /** Who the copies are by. */
  author_id: string;
  edits: readonly CardEdit[];
  /** Everything that may be handed over. */
  cards: readonly Card[];
};

/** By the id of the original. bad_request names the edit that fits nothing here. */
export function editCards(kernel: Kernel, input: EditCards): ReadonlyMap<string, EditedCard> {
  const { edits, cards } = input;
  const there = new Set(cards.map(({ card_id }) => card_id));
  const stray = edits.findIndex(({ card_id }) => !there.has(card_id));
  if (stray >= 0) throw notHanded(stray, edits[stray]?.card_id ?? "");
  const seed = sha256(canonicalJson(edits.map((edit) => ({ ...edit })))).slice(0, 24);
  let calls = 0;
  const { items } = named(edits, () =>
    planFork({
      ordinal: 0,
      request_ids: there,
      cards,
      instruction_card_id: null,
      replace: edits.flatMap(({ card_id, with: content }) =>
        content === undefined ? [] : [{ card_id, with: content }],
      ),
      drop: edits.flatMap(({ card_id, with: content }) => (content === undefined ? [card_id] : [])),
      newCallId: () => `edit_${seed}_${calls++}`,
    }),
  );
  const kept = new Map(items.map((item) => [item.card.card_id, item]));
  const asked = new Set(edits.map(({ card_id }) => card_id));
  const edited = new Map<string, EditedCard>();
  for (const card of cards) {
    const item = kept.get(card.card_id);
    if (!item) edited.set(card.card_id, { dropped: asked.has(card.card_id) ? DROPPED : FOLLOWED });
    else if (item.fresh) edited.set(card.card_id, { copy: copyOf(kernel, input, card, item.fresh) });
  }
  return edited;
}

const DROPPED = "dropped by an edit";
const FOLLOWED = "goes with the other half of its call, which an edit dropped";

function copyOf(kernel: Kernel, { project_id, author_id }: EditCards, card: Card, fresh: NewCard): Card {
  const { content, tool_calls, tool_call_id } = fresh;
  const says = canonicalJson({ content, tool_calls: tool_calls ?? null, tool_call_id: tool_call_id ?? null });
  const card_id = `${EDIT_CARD}${sha256(`${card.card_id}|${author_id}|${says}`).slice(0, 32)}`;
  return draftCard(kernel, { project_id, path: "edits", card: { ...fresh, card_id, author_id } });
}

/** What a fork of a turn calls drop.2 or replace.0 is an edit here. */
function named<T>(edits: readonly CardEdit[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const [, list, n, rest = ""] = /^(drop|replace)\.(\d+)(.*)$/s.exec(error.message) ?? [];
    if (list === undefined) throw error;
    const mine = edits.flatMap((edit, i) => ((edit.with === undefined) === (list === "drop") ? [i] : []));
    const path = `edits.${mine[Number(n)] ?? 0}`;
    throw new KernelError(error.code, `${path}${rest}`, { path });
  }
}

const notHanded = (i: number, card_id: string): KernelError =>
  new KernelError(
    "bad_request",
    `edits.${i}.card_id: card ${card_id} is not handed over here. Name a card of the hand-over, or take the edit away`,
    { path: `edits.${i}.card_id` },
  );

// The receipt of a hand-over: every candidate accounted for, in the order of the new box. Pure.

import { canonicalJson } from "@/server/contract/canonical-json";
import type { Card } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";
import type { Receipt, ReceiptLine } from "@/server/contract/pack";
import { sha256 } from "../cardbox/canonical-json";
import type { PackedCard } from "./pack-arguments";
import type { Planned } from "./plan-inheritance";

export type ReceiptInput = {
  order: Receipt["order"];
  inherited: Planned;
  /** Arguments, and the facts of the delegation among them. */
  packed: readonly PackedCard[];
  pointer: Card | null;
  recipe?: Receipt["recipe"];
};

export function writeReceipt(input: ReceiptInput): Receipt {
  const { order, inherited, packed, pointer, recipe } = input;
  const own = packed.map(({ card, origin }) => lineOf(card, origin));
  const lines = [...inOrder(order, inherited.lines, own), ...(pointer ? [lineOf(pointer, "ptr")] : [])];
  const included = lines.filter((l) => l.verdict === "included" || l.verdict === "redacted");
  const sum = (of: ReceiptLine[], key: "cards" | "tokens") => of.reduce((n, line) => n + line[key], 0);
  return {
    lines,
    included_cards: sum(included, "cards"),
    included_tokens: sum(included, "tokens"),
    left_out_cards: sum(lines, "cards") - sum(included, "cards"),
    order,
    hash: hashOf(input),
    ...(recipe && { recipe }),
  };
}

export const inOrder = <T>(order: Receipt["order"], inherited: readonly T[], packed: readonly T[]): T[] =>
  order === "inherited_first" ? [...inherited, ...packed] : [...packed, ...inherited];

const lineOf = (card: Card, origin: string): ReceiptLine => ({
  verdict: "included",
  origin,
  card_id: card.card_id,
  cards: 1,
  tokens: card.token_count,
});

// Inherited cards count by id; packed ones, whose ids are new each time, by content; the kernel's own cards not at all.
// So the same hand-over has the same hash in a dry run, in the launch and in a replay.
function hashOf({ order, inherited, packed }: ReceiptInput): string {
  const given = packed
    .filter((p) => p.origin !== "sys")
    .map((p) => (p.origin === "pack" ? packHash(p) : p.card.content_hash));
  return sha256(inOrder(order, [inherited.ids_hash], given).join("\n"));
}

/** Built once for the dry run and once for the launch, the same pack has two ids and two times. */
function packHash({ card: { content } }: PackedCard): string {
  const pack = content?.kind === "json" && isRecord(content.data) ? content.data : {};
  const { packId, runId, nodeId, createdAt, ...told } = pack;
  return sha256(canonicalJson(told));
}

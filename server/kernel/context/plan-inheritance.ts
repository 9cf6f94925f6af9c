// Decides, card by card only where it must, what of the boxes handed over travels, and writes the receipt of it. Pure.
import type { ReceiptLine } from "@/server/contract/pack";
import { type BoxItem, UNTRAVELLED } from "../cardbox/box-chunks";
import { type CopyPiece, type Piece, sliceConsist } from "../cardbox/lay-box";
import { describeFindings, type RedactedCard } from "../cardbox/redact-card";

/** What one recipe inherits. Equal ones are planned once, however many hand-overs share them. */
export type Inheritance = {
  box_ids: string[];
  card_ids: string[];
  include_types?: string[];
  exclude_types?: string[];
  redact: boolean;
};

/** A chunk as it was read; only a box's last one may have grown since. */
export type SourceChunk = {
  n: number;
  start: number;
  card_ids: string[];
  tokens: number;
  before_tokens: number;
  has_untravelled: boolean;
  is_last: boolean;
};
export type SourceBox = { box_id: string; consist: string; chunks: SourceChunk[] };

/** `is_whole`: copied inside the database; the others are looked at card by card. */
export type OutlinePart = { box: SourceBox; chunk: SourceChunk; is_whole: boolean };

/** A chunk travels whole when no rule can keep out one of its cards. The last one is written out: it may grow meanwhile. */
export function outlineInheritance(inheritance: Inheritance, boxes: ReadonlyMap<string, SourceBox>): OutlinePart[] {
  const { include_types, exclude_types, redact } = inheritance;
  const looksAtAll = redact || include_types !== undefined || (exclude_types?.length ?? 0) > 0;
  const seen = new Set<string>();
  return inheritance.box_ids.flatMap((id) => {
    const box = boxes.get(id);
    return (box?.chunks ?? []).map((chunk) => {
      const before = seen.size;
      for (const cardId of chunk.card_ids) seen.add(cardId);
      const isNew = seen.size === before + chunk.card_ids.length;
      return {
        box: box as SourceBox,
        chunk,
        is_whole: !looksAtAll && !chunk.has_untravelled && !chunk.is_last && isNew,
      };
    });
  });
}

/** Cards whose facts `planInheritance` needs. */
export const cardsToLookAt = (inheritance: Inheritance, parts: readonly OutlinePart[]): string[] => [
  ...parts.flatMap((part) => (part.is_whole ? [] : part.chunk.card_ids)),
  ...inheritance.card_ids,
];

export type Facts = ReadonlyMap<string, Omit<BoxItem, "origin">>;

export type Planned = {
  pieces: Piece[];
  lines: ReceiptLine[];
  card_ids: string[];
  /** Copies that stand for redacted originals. */
  copies: RedactedCard["copy"][];
};

export type PlanInput = {
  inheritance: Inheritance;
  parts: readonly OutlinePart[];
  facts: Facts;
  /** By original id, where the recipe asks for redaction. */
  redacted: ReadonlyMap<string, RedactedCard>;
};

export function planInheritance(input: PlanInput): Planned {
  const planned: Planned = { pieces: [], lines: [], card_ids: [], copies: [] };
  const seen = new Set<string>();
  for (const { box, chunk, is_whole } of input.parts) {
    if (is_whole) passChunk(planned, box, chunk, seen);
    else
      chunk.card_ids.forEach((id, i) => {
        const place = { box_id: box.box_id, from: chunk.start + i, to: chunk.start + i };
        passCard(planned, input, { id, origin: `box:${box.box_id}`, place }, seen);
      });
  }
  for (const id of input.inheritance.card_ids) passCard(planned, input, { id, origin: "card" }, seen);
  return planned;
}

function passChunk(planned: Planned, box: SourceBox, chunk: SourceChunk, seen: Set<string>): void {
  const { n, start, tokens, card_ids, before_tokens } = chunk;
  for (const id of card_ids) {
    seen.add(id);
    planned.card_ids.push(id);
  }
  const runs = sliceConsist(box.consist, before_tokens, before_tokens + tokens);
  const last = planned.pieces.at(-1);
  if (last && "copy" in last && last.copy.box_id === box.box_id && last.copy.to_n === n - 1)
    growCopy(last.copy, chunk, runs);
  else
    planned.pieces.push({
      copy: { box_id: box.box_id, from_n: n, to_n: n, start, cards: card_ids.length, tokens, runs },
    });
  const place = { box_id: box.box_id, from: start, to: start + card_ids.length - 1 };
  addPassed(planned.lines, {
    verdict: "included",
    origin: `box:${box.box_id}`,
    ...place,
    cards: card_ids.length,
    tokens,
  });
}

function growCopy(copy: CopyPiece, chunk: SourceChunk, runs: CopyPiece["runs"]): void {
  copy.to_n = chunk.n;
  copy.cards += chunk.card_ids.length;
  copy.tokens += chunk.tokens;
  copy.runs.push(...runs);
}

type Candidate = { id: string; origin: string; place?: { box_id: string; from: number; to: number } };

function passCard(planned: Planned, input: PlanInput, candidate: Candidate, seen: Set<string>): void {
  const { id, origin, place } = candidate;
  // A place whose card is not in the store is handed on as it is.
  const fact = input.facts.get(id) ?? { card_id: id, token_count: 0, type: "unknown", role: "user" as const };
  const line = { origin, ...place, cards: 1, tokens: fact.token_count };
  const reason = withheldBecause(fact.type, input.inheritance);
  if (reason) {
    planned.lines.push({ verdict: "withheld", ...line, card_id: id, reason });
    return;
  }
  const redaction = input.redacted.get(id);
  const travels = redaction?.copy ?? fact;
  if (seen.has(id) || seen.has(travels.card_id)) {
    planned.lines.push({ verdict: "duplicate", ...line, card_id: id, reason: "stands earlier in this box" });
    return;
  }
  seen.add(id).add(travels.card_id);
  planned.card_ids.push(travels.card_id);
  addItem(planned.pieces, { ...pick(travels), origin });
  if (!redaction) {
    if (place) addPassed(planned.lines, { verdict: "included", ...line });
    else planned.lines.push({ verdict: "included", ...line, card_id: id });
    return;
  }
  planned.copies.push(redaction.copy);
  planned.lines.push({
    verdict: "redacted",
    ...line,
    card_id: redaction.copy.card_id,
    tokens: redaction.copy.token_count,
    reason: describeFindings(redaction.findings),
  });
}

function withheldBecause(type: string, { include_types, exclude_types }: Inheritance): string | null {
  if (type === UNTRAVELLED) return "tells of another delegation and never travels";
  if (exclude_types?.includes(type)) return `the recipe excludes ${type}`;
  if (include_types && !include_types.includes(type)) return `the recipe includes only ${include_types.join(", ")}`;
  return null;
}

/** Neighbours that simply passed are one line. */
function addPassed(lines: ReceiptLine[], line: ReceiptLine): void {
  const last = lines.at(-1);
  const continues =
    last?.verdict === "included" && last.box_id === line.box_id && last.to !== undefined && last.to + 1 === line.from;
  if (!continues || !last) {
    lines.push({ ...line });
    return;
  }
  last.to = line.to;
  last.cards += line.cards;
  last.tokens += line.tokens;
}

function addItem(pieces: Piece[], item: BoxItem): void {
  const last = pieces.at(-1);
  if (last && "items" in last) (last.items as BoxItem[]).push(item);
  else pieces.push({ items: [item] });
}

const pick = ({ card_id, role, token_count, type }: Omit<BoxItem, "origin">) => ({ card_id, role, token_count, type });

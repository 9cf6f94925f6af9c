// Decides which cards of the boxes handed over are inherited, card by card only where necessary, and writes the receipt. Pure.
import type { ReceiptLine } from "@/server/contract/pack";
import { type BoxItem, UNTRAVELLED } from "../cardbox/box-chunks";
import { sha256 } from "../cardbox/canonical-json";
import { type CopyPiece, type Piece, sliceConsist } from "../cardbox/lay-box";
import { describeFindings, type RedactedCard } from "../cardbox/redact-card";
import type { CardEdit, EditedCard } from "./edit-cards";

/** A box or a single card that travels. `withheld`: a card that does not, and why, for the receipt. */
export type Source = { box_id: string } | { card_id: string; withheld?: string };

export const boxesOf = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => ("box_id" in source ? source.box_id : []));
export const singlesOf = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => ("card_id" in source ? source.card_id : []));

/** What one recipe inherits. Equal ones are planned once, however many hand-overs share them. */
export type Inheritance = {
  /** In the order of the new box; none is named twice. */
  sources: Source[];
  include_types?: string[];
  exclude_types?: string[];
  redact: boolean;
  /** It comes first in the new box: a box that is all of it may be named instead of copied. */
  is_first?: boolean;
  edits?: readonly CardEdit[];
  /** What they come to, by the id of the original. */
  edited?: ReadonlyMap<string, EditedCard>;
};

/** Chunk `n`, or all of `n`..`to_n`, as they were read; only a box's last one may have grown since. Of a box that is named, one stands for all. */
export type SourceChunk = {
  n: number;
  to_n: number;
  start: number;
  size: number;
  /** null if no rule needs to see the cards: such chunks are copied whole. */
  card_ids: string[] | null;
  tokens: number;
  before_tokens: number;
  has_untravelled: boolean;
  is_last: boolean;
};
export type SourceBox = {
  box_id: string;
  consist: string;
  length: number;
  tokens: number;
  /** How many chunks it has, if it may be the base of another one: nothing in it never travels, and it has few bases itself. */
  lends: number | null;
  chunks: SourceChunk[];
  has_no_repeats: boolean;
  /** sha256 of all its ids, if they were not read. */
  ids_hash: string | null;
};

/** `is_whole`: copied inside the database; the others are checked card by card. */
export type OutlinePart = { box: SourceBox; chunk: SourceChunk; is_whole: boolean };

export const looksAtAll = ({ include_types, exclude_types, redact, edits }: Inheritance): boolean =>
  redact || include_types !== undefined || (exclude_types?.length ?? 0) > 0 || (edits?.length ?? 0) > 0;

/** A chunk is copied whole if no rule can exclude one of its cards. The last one is written out: it may grow meanwhile. */
export function outlineInheritance(inheritance: Inheritance, boxes: ReadonlyMap<string, SourceBox>): OutlinePart[] {
  const mayPass = !looksAtAll(inheritance);
  const { sources } = inheritance;
  const given = sources.flatMap((source) => ("box_id" in source ? (boxes.get(source.box_id) ?? []) : []));
  const lastBox = sources.findLastIndex((source) => "box_id" in source);
  const hasEarlierCard = singlesOf(sources.slice(0, Math.max(lastBox, 0))).length > 0;
  // Putting 10,000 ids in a set takes a millisecond.
  const seen = areDistinct(given) && !hasEarlierCard ? null : new Set<string>();
  return sources.flatMap((source): OutlinePart[] => {
    if ("card_id" in source) {
      if (source.withheld === undefined) seen?.add(source.card_id);
      return [];
    }
    const box = boxes.get(source.box_id);
    if (!box) return [];
    return box.chunks.map((chunk) => {
      const isNew = seen === null || addAll(seen, chunk);
      return { box, chunk, is_whole: mayPass && !chunk.has_untravelled && !chunk.is_last && isNew };
    });
  });
}

const areDistinct = ([box, ...others]: SourceBox[]): boolean => others.length === 0 && box?.has_no_repeats === true;

function addAll(seen: Set<string>, chunk: SourceChunk): boolean {
  const before = seen.size;
  for (const cardId of chunk.card_ids ?? []) seen.add(cardId);
  return seen.size === before + chunk.size;
}

/** Cards whose facts `planInheritance` needs. */
export const cardsToLookAt = (inheritance: Inheritance, parts: readonly OutlinePart[]): string[] => [
  ...parts.flatMap((part) => (part.is_whole ? [] : (part.chunk.card_ids ?? []))),
  ...singlesOf(inheritance.sources),
];

export type Fact = Omit<BoxItem, "origin">;
export type Facts = ReadonlyMap<string, Fact | null>;

export type Planned = {
  pieces: Piece[];
  lines: ReceiptLine[];
  /** null if they were not read. */
  card_ids: string[] | null;
  /** sha256 of the ids. */
  ids_hash: string;
  /** Copies that replace redacted originals. */
  copies: RedactedCard["copy"][];
};

export type PlanInput = {
  inheritance: Inheritance;
  parts: readonly OutlinePart[];
  facts: Facts;
  /** By original id, if the recipe asks for redaction. */
  redacted: ReadonlyMap<string, RedactedCard>;
};

export function planInheritance(input: PlanInput): Planned {
  const { parts, inheritance } = input;
  const named = nameWhole(inheritance, parts);
  if (named) return named;
  const boxes = new Set(parts.map((part) => part.box));
  const draft: Draft = { pieces: [], stretches: [], lines: [], card_ids: [], copies: [], seen: new Set() };
  const isRepeatable = singlesOf(inheritance.sources).length > 0 || !areDistinct([...boxes]);
  const ofBoxes = new Map<string, OutlinePart[]>();
  for (const part of parts) {
    const known = ofBoxes.get(part.box.box_id);
    if (known) known.push(part);
    else ofBoxes.set(part.box.box_id, [part]);
  }
  for (const source of inheritance.sources) {
    if ("card_id" in source) passCard(draft, input, { id: source.card_id, origin: "card", withheld: source.withheld });
    else for (const part of ofBoxes.get(source.box_id) ?? []) passPart(draft, input, part, isRepeatable);
  }
  for (const { copy, consist, from } of draft.stretches) copy.runs = sliceConsist(consist, from, from + copy.tokens);
  const { pieces, lines, copies, card_ids } = draft;
  const unread = [...boxes].find((box) => box.ids_hash !== null);
  return unread
    ? { pieces, lines, copies, card_ids: null, ids_hash: unread.ids_hash ?? "" }
    : { pieces, lines, copies, card_ids, ids_hash: sha256(card_ids.join("\n")) };
}

/** null if the cards must be copied: some of them may not pass, or others come before them. */
function nameWhole(inheritance: Inheritance, parts: readonly OutlinePart[]): Planned | null {
  const { sources, is_first } = inheritance;
  const box = parts[0]?.box;
  if (!is_first || sources.length !== 1 || !box || box.lends === null || looksAtAll(inheritance)) return null;
  const card_ids = box.ids_hash === null ? parts.flatMap(({ chunk }) => chunk.card_ids ?? []) : null;
  if (!box.has_no_repeats && (card_ids === null || new Set(card_ids).size < box.length)) return null;
  const { box_id, length: cards, tokens, consist } = box;
  return {
    pieces: [{ base: { box_id, cards, chunks: box.lends, tokens, runs: sliceConsist(consist, 0, tokens) } }],
    lines: [{ verdict: "included", origin: `box:${box_id}`, box_id, from: 0, to: cards - 1, cards, tokens }],
    card_ids,
    ids_hash: box.ids_hash ?? sha256((card_ids ?? []).join("\n")),
    copies: [],
  };
}

type Draft = Pick<Planned, "pieces" | "lines" | "copies"> & {
  card_ids: string[];
  /** What is copied, with the consist to cut it from once its end is known. */
  stretches: { copy: CopyPiece; consist: string; from: number }[];
  /** Ids that a later box may repeat. */
  seen: Set<string>;
};

function passPart(draft: Draft, input: PlanInput, { box, chunk, is_whole }: OutlinePart, isRepeatable: boolean): void {
  if (is_whole) {
    passChunk(draft, box, chunk, isRepeatable);
    return;
  }
  chunk.card_ids?.forEach((id, i) => {
    const place = { box_id: box.box_id, from: chunk.start + i, to: chunk.start + i };
    passCard(draft, input, { id, origin: `box:${box.box_id}`, place });
  });
}

function passChunk(draft: Draft, box: SourceBox, chunk: SourceChunk, isRepeatable: boolean): void {
  const { n, to_n, start, size, tokens, card_ids, before_tokens } = chunk;
  for (const id of card_ids ?? []) draft.card_ids.push(id);
  if (isRepeatable) for (const id of card_ids ?? []) draft.seen.add(id);
  const last = draft.pieces.at(-1);
  if (last && "copy" in last && last.copy.box_id === box.box_id && last.copy.to_n === n - 1) {
    last.copy.to_n = to_n;
    last.copy.cards += size;
    last.copy.tokens += tokens;
  } else {
    const copy: CopyPiece = { box_id: box.box_id, from_n: n, to_n, start, cards: size, tokens, runs: [] };
    draft.pieces.push({ copy });
    draft.stretches.push({ copy, consist: box.consist, from: before_tokens });
  }
  const place = { box_id: box.box_id, from: start, to: start + size - 1 };
  addPassed(draft.lines, { verdict: "included", origin: `box:${box.box_id}`, ...place, cards: size, tokens });
}

type Candidate = {
  id: string;
  origin: string;
  place?: { box_id: string; from: number; to: number };
  /** Decided before it was packed. */
  withheld?: string;
};

function passCard(planned: Draft, input: PlanInput, { id, origin, place, withheld }: Candidate): void {
  const { seen } = planned;
  // A position whose card is not stored is handed on unchanged.
  const fact = input.facts.get(id) ?? { card_id: id, token_count: 0, type: "unknown", role: "user" as const };
  const line = { origin, ...place, cards: 1, tokens: fact.token_count };
  const reason = withheld ?? withheldBecause(fact.type, input.inheritance);
  if (reason) {
    planned.lines.push({ verdict: "withheld", ...line, card_id: id, reason });
    return;
  }
  const edit = input.inheritance.edited?.get(id);
  if (edit && "dropped" in edit) {
    planned.lines.push({ verdict: "withheld", ...line, card_id: id, reason: edit.dropped });
    return;
  }
  const redaction = input.redacted.get(edit?.copy.card_id ?? id);
  const travels = redaction?.copy ?? edit?.copy ?? fact;
  if (seen.has(id) || seen.has(travels.card_id)) {
    planned.lines.push({ verdict: "duplicate", ...line, card_id: id, reason: "stands earlier in this box" });
    return;
  }
  seen.add(id).add(travels.card_id);
  planned.card_ids.push(travels.card_id);
  addItem(planned.pieces, { ...pick(travels), origin });
  if (!redaction && edit) {
    planned.copies.push(edit.copy);
    const { card_id, token_count: tokens } = edit.copy;
    planned.lines.push({ verdict: "included", ...line, card_id, tokens, reason: `in the place of ${id}, by an edit` });
    return;
  }
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
  if (type === UNTRAVELLED) return "belongs to another delegation and never travels";
  if (exclude_types?.includes(type)) return `the recipe excludes ${type}`;
  if (include_types && !include_types.includes(type)) return `the recipe includes only ${include_types.join(", ")}`;
  return null;
}

/** Consecutive cards that simply passed are one line. */
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

// A hand-over as rows, in the order the model reads them, with their weight. Pure.
import type { CardRole } from "@/components/ui/card-role";
import type { HandOver, HandOverCard, HandOverEntry } from "@/server/contract/plan/kernel-check";
import type { Load, Plan } from "@/server/contract/plan/plan";
import { type LoadRow, plate } from "../drawing/loads";

export type Section = "memory" | "load" | "own";
export type OrderRow =
  | { kind: "head"; section: Section }
  | {
      kind: "card";
      key: string;
      section: Section;
      /** Among what is sent, from 1; null = never sent, or already there. */
      rank: number | null;
      role: CardRole;
      type: string;
      text: string;
      tokens: number;
      /** known = counted. estimated = by earlier results. unknown = nothing is known of it. */
      weight: "known" | "estimated" | "unknown";
      from: string;
      /** Of a load that may be moved: its place in the list of the wagon. */
      index: number | null;
    }
  | { kind: "left"; key: string; words: string; reason: string; tokens: number };

export type CardRow = Extract<OrderRow, { kind: "card" }>;

export type OrderInput = {
  plan: Plan;
  place: string;
  handOver: HandOver;
  /** Of the wagon, those of its fork first. */
  loads: readonly LoadRow[];
  /** The code that a place will have; "" = not known. */
  codeOf: (place: string) => string;
};

// A pointer travels with its box and is kept, but no model is sent it: a place in the order would promise more.
const POINTER = "meta.parent_pointer";
const NOT_SENT = "not sent to the model";

export function orderRows(input: OrderInput): OrderRow[] {
  const { memory, entries, own, order } = input.handOver;
  let rank = 0;
  const next = () => ++rank;
  const remembered: OrderRow[] = memory
    ? [
        { kind: "head", section: "memory" },
        ...memory.cards.map((card, i) => cardRow(card, { key: `memory ${i}`, section: "memory", rank: null })),
        ...restRow("memory", memory, "memory"),
        ...openRows("memory", memory, {
          section: "memory",
          words: "what its agent will have written by then",
          type: "output box",
        }),
      ]
    : [];
  const loaded = (): OrderRow[] => [
    { kind: "head", section: "load" },
    ...entries.flatMap((entry) => entryRows(input, entry, next)),
  ];
  const made = (): OrderRow[] => [
    { kind: "head", section: "own" },
    ...own
      .filter(({ kind }) => kind !== "pointer")
      .map((card) => cardRow(card, { key: card.card_id, section: "own", rank: next() })),
  ];
  const pointer = own
    .filter(({ kind }) => kind === "pointer")
    .map((card) => cardRow(card, { key: card.card_id, section: "own", rank: null, from: NOT_SENT }));
  const both = order === "inherited_first" ? [...loaded(), ...made()] : [...made(), ...loaded()];
  return [...remembered, ...both, ...pointer];
}

type Extra = { key: string; section: Section; rank: number | null; from?: string; index?: number | null };

const cardRow = (
  { role, type, text, tokens }: HandOverCard,
  { key, section, rank, from = "", index = null }: Extra,
): CardRow => ({ kind: "card", key, section, rank, role, type, text, tokens, weight: "known", from, index });

function entryRows({ plan, place, loads, codeOf }: OrderInput, entry: HandOverEntry, next: () => number): OrderRow[] {
  const { owner, index, cards, left_out } = entry;
  const row = loads.find((one) => one.owner === owner && one.index === index);
  const key = `${owner} ${index}`;
  const isOwn = owner === place;
  const common = {
    section: "load" as const,
    from: [isOwn ? "" : "every task", fromWords(row, codeOf)].filter(Boolean).join(", "),
    index: isOwn ? index : null,
  };
  const text = textOf(plan, row?.load);
  const texts: OrderRow[] =
    text !== null
      ? [
          cardRow(
            { card_id: "", role: "user", type: "task.input", text, tokens: entry.tokens },
            { ...common, key, rank: next() },
          ),
        ]
      : [];
  return [
    ...texts,
    ...cards.map((card, i) =>
      cardRow(
        card,
        card.type === POINTER
          ? { ...common, key: `${key} ${i}`, rank: null, from: [common.from, NOT_SENT].filter(Boolean).join(", ") }
          : { ...common, key: `${key} ${i}`, rank: next() },
      ),
    ),
    ...restRow(key, entry, "load"),
    ...openRows(key, entry, { ...common, words: row?.words ?? "", type: typeOf(row?.load), next }),
    ...left_out.map(
      (line, i): OrderRow => ({
        kind: "left",
        key: `${key} left ${i}`,
        words: `${line.cards} ${line.cards === 1 ? "card" : "cards"} of ${row?.words ?? key}`,
        reason: line.reason,
        tokens: line.tokens,
      }),
    ),
  ];
}

/** A text becomes a card at the launch: nothing of it is there to be listed. */
function textOf(plan: Plan, load: Load | undefined): string | null {
  if (!load || !("input" in load)) return null;
  const input = plan.inputs.find(({ name }) => name === load.input);
  return input?.kind === "text" ? load.input : null;
}

type Counted = Pick<HandOverEntry, "cards" | "card_count" | "tokens">;

function restRow(key: string, { cards, card_count, tokens }: Counted, section: Section): OrderRow[] {
  const more = card_count - cards.length;
  if (more <= 0) return [];
  const listed = cards.reduce((sum, card) => sum + card.tokens, 0);
  const text = `${more} more cards. Open the box to read them`;
  const rest = { card_id: "", role: "user" as const, type: "", text, tokens: Math.max(0, tokens - listed) };
  return [cardRow(rest, { key: `${key} rest`, section, rank: null })];
}

type Open = {
  section: Section;
  words: string;
  type: string;
  from?: string;
  index?: number | null;
  next?: () => number;
};

/** What is not there yet, by what earlier ones weighed. */
function openRows(
  key: string,
  { estimated, unknown }: Pick<HandOverEntry, "estimated" | "unknown">,
  { section, words, type, from = "", index = null, next }: Open,
): OrderRow[] {
  if (!estimated && unknown.length === 0) return [];
  const weight = estimated ? "estimated" : "unknown";
  const row = { role: "assistant" as const, type, text: words, tokens: estimated?.likely ?? 0, weight } as const;
  return [{ kind: "card", key: `${key} open`, section, rank: next?.() ?? null, from, index, ...row }];
}

const typeOf = (load: Load | undefined): string => {
  if (!load || !("from" in load)) return "task.input";
  return load.take === "output" ? "output box" : load.take === "summary" ? "task.context" : "task.deliverable";
};

function fromWords(row: LoadRow | undefined, codeOf: (place: string) => string): string {
  if (row === undefined || "input" in row.load) return "";
  return "from" in row.load ? codeOf(row.load.from) : plate("box" in row.load ? row.load.box : row.load.card);
}

export type Stretch = { row: CardRow; y: number; h: number };

const LEAST = 2.5;
const GAP = 1.5;

/** Everything that is sent or kept, to scale, in `height` pixels; what nothing is known of has the least height. */
export function stretches(rows: readonly OrderRow[], height: number): Stretch[] {
  const cards = rows.filter((row) => row.kind === "card");
  const sum = cards.reduce((total, { tokens }) => total + tokens, 0);
  let y = 0;
  return cards.map((row) => {
    const h = Math.max(LEAST, sum === 0 ? LEAST : (row.tokens / sum) * height);
    const stretch = { row, y, h };
    y += h + GAP;
    return stretch;
  });
}

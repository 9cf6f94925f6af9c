// One verdict for every card of a hand-over, and the rows in which the three columns stand side by side. Pure.
import type { HandoverVerdict } from "@/server/contract/handover-diff";
import type { ReceiptLine } from "@/server/contract/pack";

export type CardFact = {
  type: string;
  tokens: number;
  /** The card that this one is a copy of, or replaces. */
  stands_for: string | null;
  is_redaction: boolean;
};

export type HandoverSides = {
  /** Column 1, in order, without repeats. */
  had: readonly string[];
  /** Column 2: the context box with its origins, in order. */
  packed: readonly { card_id: string; origin: string }[];
  /** Column 3: the first request. null = nothing is stored as sent, and the context box stands in. */
  saw: readonly string[] | null;
  /** What the callee had in its output box before this turn. */
  memory: ReadonlySet<string>;
  /** The receipt, one line a card. */
  receipt: readonly (Pick<ReceiptLine, "verdict" | "reason"> & { card_id: string })[];
  /** Cards that were sources of a context pack and did not fit, by id, and what they exceeded. */
  trimmed: ReadonlyMap<string, string>;
  facts: ReadonlyMap<string, CardFact>;
};

/** Ids by column. `card_id`: what was left out or copied, where it is not in column 1 or has a row of its own there. */
export type JudgedRow = {
  verdict: HandoverVerdict;
  had_id?: string;
  packed_id?: string;
  saw_id?: string;
  card_id?: string;
  origin?: string;
  reason?: string;
};

const CHAIN_MAX = 8;

export function judgeHandover(sides: HandoverSides): JudgedRow[] {
  const { had, packed, receipt } = sides;
  const had_at = new Map(had.map((id, i) => [id, i]));
  const origins = new Map(packed.map(({ card_id, origin }) => [card_id, origin]));
  const reasons = new Map(receipt.map(({ card_id, reason }) => [card_id, reason]));
  // A copy that travels as it is was not made for this hand-over.
  const made_here = new Set(
    receipt.flatMap(({ card_id, verdict, reason }) =>
      verdict === "redacted" || (verdict === "included" && reason !== undefined) ? card_id : [],
    ),
  );
  const judged = new Set<string>();
  const travels = new Set([...origins.keys(), ...(sides.saw ?? [])]);
  const rows: JudgedRow[] = [];
  const add = (row: JudgedRow): void => {
    for (const id of [row.had_id, row.packed_id, row.saw_id]) if (id !== undefined) judged.add(id);
    rows.push(row);
  };
  // An original that travels too, or has another copy, stands in a row of its own.
  const beside = (original: string): Pick<JudgedRow, "had_id" | "card_id"> => {
    if (!had_at.has(original)) return { card_id: original };
    return travels.has(original) || judged.has(original) ? { card_id: original } : { had_id: original };
  };
  const see = (id: string, isSent: boolean): void => {
    if (judged.has(id)) return;
    const original = had_at.has(id) ? undefined : originalOf(id, { facts: sides.facts, had_at, made_here });
    const origin = origins.get(id);
    add({
      ...(original === undefined
        ? { ...verdictOf(id, { sides, isSent, isHad: had_at.has(id), origin }), ...(had_at.has(id) && { had_id: id }) }
        : { verdict: sides.facts.get(id)?.is_redaction ? "redacted" : "rewritten", ...withReason(reasons.get(id)) }),
      ...(original !== undefined && beside(original)),
      ...(origin !== undefined && { packed_id: id, origin }),
      ...(isSent && { saw_id: id }),
    });
  };
  for (const id of sides.saw ?? packed.map(({ card_id }) => card_id)) see(id, true);
  for (const { card_id } of packed) see(card_id, false);
  const left = new Set<string>();
  for (const { card_id, verdict, reason } of receipt) {
    if (verdict === "included" || verdict === "redacted" || judged.has(card_id) || left.has(card_id)) continue;
    left.add(card_id);
    add({ verdict: "left_out", ...(had_at.has(card_id) ? { had_id: card_id } : { card_id }), ...withReason(reason) });
  }
  for (const had_id of had) {
    if (judged.has(had_id)) continue;
    const budget = sides.trimmed.get(had_id);
    add(budget === undefined ? { verdict: "withheld", had_id } : { verdict: "trimmed", had_id, reason: budget });
  }
  return align(rows, { had_at, sides });
}

type Judging = { sides: HandoverSides; isSent: boolean; isHad: boolean; origin?: string };

function verdictOf(id: string, { sides, isSent, isHad, origin }: Judging): Pick<JudgedRow, "verdict" | "reason"> {
  const type = sides.facts.get(id)?.type ?? "unknown";
  if (!isSent) return { verdict: "not_sent", reason: notSentBecause(type) };
  if (sides.memory.has(id)) return { verdict: "memory" };
  if (isHad) return { verdict: "passed" };
  if (origin === undefined) return { verdict: REQUEST_ONLY.has(type) ? "added" : "memory" };
  return { verdict: INHERITED.test(origin) ? "passed_unseen" : "added" };
}

/** Written for each request: they are in no box of a turn. */
export const REQUEST_ONLY: ReadonlySet<string> = new Set(["sys.rendered_prompt", "sys.tools"]);
/** Origins of cards that existed before the hand-over; a regular expression here and in SQL. */
export const INHERITED_ORIGIN = "^(box:|card$|given$)";
const INHERITED = new RegExp(INHERITED_ORIGIN);

function notSentBecause(type: string): string {
  if (type === "task.result_fields") return "its fields are part of the system prompt";
  if (type.startsWith("meta.") || type.startsWith("sys.")) return `${type} cards are not sent as messages`;
  if (type === "tool.call") return "the message before it contains the call";
  return "a later card replaces it, or it is unfinished";
}

const withReason = (reason: string | undefined) => (reason === undefined ? {} : { reason });

type Tracing = Pick<HandoverSides, "facts"> & {
  had_at: ReadonlyMap<string, number>;
  made_here: ReadonlySet<string>;
};

/** The card that `id` is a copy of: the first along its line that the caller had, else the nearest. */
function originalOf(id: string, { facts, had_at, made_here }: Tracing): string | undefined {
  let nearest: string | undefined;
  for (let at = id, n = 0; n < CHAIN_MAX; n++) {
    const before = facts.get(at)?.stands_for;
    if (!before || before === at) break;
    nearest ??= before;
    if (had_at.has(before)) return before;
    at = before;
  }
  return made_here.has(id) ? nearest : undefined;
}

const travels = ({ packed_id, saw_id }: JudgedRow): boolean => (packed_id ?? saw_id) !== undefined;

type Leading = { sides: HandoverSides; isAnchored: boolean };

/** What follows no card of column 1 leads. If nothing of column 1 travelled, only what is written for each request does. */
function leading(rows: readonly JudgedRow[], { sides, isAnchored }: Leading): [JudgedRow[], JudgedRow[]] {
  if (isAnchored) return [[...rows], []];
  const isOfRequest = ({ saw_id }: JudgedRow): boolean =>
    saw_id !== undefined && REQUEST_ONLY.has(sides.facts.get(saw_id)?.type ?? "");
  return [rows.filter(isOfRequest), rows.filter((row) => !isOfRequest(row))];
}

type Aligning = { had_at: ReadonlyMap<string, number>; sides: HandoverSides };

/** In the order of column 1; what is not in it comes after the row that it follows in its own column. */
function align(rows: readonly JudgedRow[], { had_at, sides }: Aligning): JudgedRow[] {
  const row_of = new Map<string, JudgedRow>();
  for (const row of rows)
    for (const id of [row.had_id, row.packed_id, row.saw_id]) if (id !== undefined) row_of.set(id, row);
  for (const row of rows) if (row.card_id !== undefined && !row_of.has(row.card_id)) row_of.set(row.card_id, row);
  const after = new Map<JudgedRow | null, JudgedRow[]>();
  const placed = new Set<JudgedRow>();
  const follow = (ids: readonly string[]): void => {
    let before: JudgedRow | null = null;
    for (const id of ids) {
      const row = row_of.get(id);
      if (!row) continue;
      if (row.had_id === undefined && !placed.has(row)) {
        placed.add(row);
        const list = after.get(before);
        if (list) list.push(row);
        else after.set(before, [row]);
      }
      before = row;
    }
  };
  const context = sides.packed.map(({ card_id }) => card_id);
  if (sides.saw) follow(sides.saw);
  follow(context);
  follow(sides.receipt.map(({ card_id }) => card_id));
  const out: JudgedRow[] = [];
  const first = rows
    .filter((row) => row.had_id !== undefined)
    .sort((a, b) => (had_at.get(a.had_id ?? "") ?? 0) - (had_at.get(b.had_id ?? "") ?? 0));
  const [lead, rest] = leading(after.get(null) ?? [], { sides, isAnchored: first.some(travels) });
  const stack = [...lead, ...first, ...rest].reverse();
  for (let row = stack.pop(); row; row = stack.pop()) {
    out.push(row);
    stack.push(...(after.get(row) ?? []).toReversed());
  }
  return out;
}

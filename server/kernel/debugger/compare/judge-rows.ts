// One verdict for each row of two runs, what b has more, and where a changed pair parts. Pure.
import { type FoundParting, type FoundSide, findParting } from "@/server/contract/run-compare/find-parting";
import type { LaidRow } from "@/server/contract/run-compare/lay-rows";
import { type Parting, type PartingSide, partingWords } from "@/server/contract/run-compare/parting";
import type { CompareDelta, ComparedTurn, CompareRow } from "@/server/contract/run-compare/run-comparison";
import type { Contents, ContentsOfPair } from "./read-contents";
import type { RunTurn } from "./read-run-turns";

export type JudgeInput = {
  rows: readonly LaidRow[];
  a: ReadonlyMap<string, RunTurn>;
  b: ReadonlyMap<string, RunTurn>;
  /** By place of the row, of pairs whose contents were read. */
  contentsAt: (at: number) => ContentsOfPair | undefined;
  names: Pick<Contents, "stepIdOf" | "toolOf">;
  now_ms: number;
  /** Whether the run has times of its own. */
  is_timed: { a: boolean; b: boolean };
};

/** `found`: with the times by which the first of all is chosen. */
export type JudgedRow = { row: CompareRow; found?: FoundParting };

/** Stops after each row: other work is done between. */
export function* judgeInSteps(input: JudgeInput): Generator<undefined, JudgedRow[], undefined> {
  const judged: JudgedRow[] = [];
  for (const row of input.rows) {
    judged.push(judge(row, input));
    yield;
  }
  return judged;
}

function judge({ a: idA, b: idB, by, ...laid }: LaidRow, input: JudgeInput): JudgedRow {
  const { a, b, contentsAt, names, now_ms, is_timed } = input;
  const [one, other] = [a.get(idA ?? ""), b.get(idB ?? "")];
  const sides = {
    ...(one && { a: comparedTurn(one, is_timed.a ? now_ms : null) }),
    ...(other && { b: comparedTurn(other, is_timed.b ? now_ms : null) }),
  };
  if (!one || !other) return { row: { ...laid, verdict: one ? "only_a" : "only_b", ...sides } };
  const told = { ...laid, ...sides, ...(by && { aligned_by: by }), delta: deltaOf(sides) };
  if (one.agent_turn_id === other.agent_turn_id) return { row: { ...told, verdict: "same" } };
  const read = contentsAt(laid.at);
  if (!read) return { row: { ...told, verdict: sameFigures(one, other) ? "same" : "changed", by_figures: true } };
  const found = findParting(read.a, read.b);
  if (!found) return { row: { ...told, verdict: "same" } };
  return { row: { ...told, verdict: "changed", parts: toldOf(found, { one, other, names }) }, found };
}

const FIGURES = ["profile_name", "status", "step_count", "context_tokens", "output_cards", "output_tokens"] as const;
const sameFigures = (one: RunTurn, other: RunTurn): boolean => FIGURES.every((key) => one[key] === other[key]);

function toldOf(
  found: FoundParting,
  { one, other, names }: { one: RunTurn; other: RunTurn; names: JudgeInput["names"] },
): Parting {
  const tool_name =
    found.kind === "tool_answer" ? (names.toolOf(found.a.card_id) ?? names.toolOf(found.b.card_id)) : undefined;
  const parting = {
    kind: found.kind,
    ...(tool_name !== undefined && { tool_name }),
    a: sideOf(one, found.a, names),
    b: sideOf(other, found.b, names),
  };
  return { ...parting, says: partingWords(parting) };
}

function sideOf(
  { agent_turn_id, headcode, status }: RunTurn,
  { step, card_id }: FoundSide,
  { stepIdOf }: JudgeInput["names"],
): PartingSide {
  const step_id = stepIdOf(agent_turn_id, step);
  return {
    ...{ agent_turn_id, headcode, status },
    ...(step !== undefined && { step }),
    ...(step_id !== undefined && { step_id }),
    ...(card_id !== undefined && { card_id }),
  };
}

/** `now_ms`: null where the times of its run say nothing but the order. */
function comparedTurn(turn: RunTurn, now_ms: number | null): ComparedTurn {
  const { output_box_id, deliverable_card_id, cost, note, error, as_in_run, started_at, ended_at } = turn;
  const from = started_at ?? (turn.is_human ? turn.created_at : null);
  const to = now_ms === null || ended_at === null ? now_ms : new Date(ended_at).getTime();
  return {
    ...{ agent_turn_id: turn.agent_turn_id, root_turn_id: turn.root_turn_id, headcode: turn.headcode },
    ...{ agent_id: turn.agent_id, profile_name: turn.profile_name, is_human: turn.is_human, status: turn.status },
    ...{ title: turn.title, created_at: turn.created_at, context_box_id: turn.context_box_id },
    ...{ context_tokens: turn.context_tokens, output_tokens: turn.output_tokens, step_count: turn.step_count },
    ...{ tokens_in: turn.tokens_in, tokens_out: turn.tokens_out },
    ...(output_box_id !== null && { output_box_id }),
    ...(deliverable_card_id !== null && { deliverable_card_id }),
    ...(cost !== null && { cost }),
    ...(note !== null && { note }),
    ...(error !== null && { error }),
    ...(as_in_run !== null && { as_in_run }),
    ...(from !== null && to !== null && { duration_ms: Math.max(0, to - new Date(from).getTime()) }),
  };
}

function deltaOf({ a, b }: { a?: ComparedTurn; b?: ComparedTurn }): CompareDelta {
  const tokens = (turn: ComparedTurn | undefined) => (turn ? turn.tokens_in + turn.tokens_out : 0);
  const more = (key: "cost" | "duration_ms") =>
    a?.[key] === undefined || b?.[key] === undefined ? {} : { [key]: b[key] - a[key] };
  return { tokens: tokens(b) - tokens(a), ...more("cost"), ...more("duration_ms") };
}

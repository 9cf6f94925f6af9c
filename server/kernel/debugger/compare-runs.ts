// Compares any two runs of a project turn by turn: which belong together, what became of each, and where they first part. Nine
// statements, however many turns.
import { alignInSteps } from "@/server/contract/run-compare/align-turns";
import { type LaidRow, layRows } from "@/server/contract/run-compare/lay-rows";
import type { CompareQuery, CompareVerdict, RunComparison } from "@/server/contract/run-compare/run-comparison";
import type { Kernel } from "../kernel";
import { betweenOtherWork } from "./between-other-work";
import { firstParting } from "./compare/first-parting";
import { type JudgedRow, judgeInSteps } from "./compare/judge-rows";
import { readContents, type TurnsOfPair } from "./compare/read-contents";
import { readPlanPlaces } from "./compare/read-plan-places";
import { type RunTurn, readRunTurns } from "./compare/read-run-turns";
import { readTwoRuns } from "./compare/read-two-runs";
import { comparedRun } from "./compare/run-figures";

/** Of all pairs together, in the order of reading. The pairs after them are compared by their figures. */
const CARDS_MAX = 200_000;
/** The first ids of a run were made shortly before its row, maybe by a clock that is not the database's. */
const SKEW_MS = 2_000;

export type CompareRuns = CompareQuery & { project_id: string; a: string; b: string };

/** not_found names the run that is missing, or is of another project. */
export async function compareRuns(kernel: Kernel, input: CompareRuns): Promise<RunComparison> {
  const { project_id, verdict, from, limit } = input;
  const runs = await readTwoRuns(kernel, input);
  const places = await readPlanPlaces(kernel, { project_id, root_turn_ids: [input.a, input.b] });
  const read = await readRunTurns(kernel, { project_id, roots: { a: input.a, b: input.b }, places });
  const rows = layRows(read.a.turns, read.b.turns, await betweenOtherWork(alignInSteps(read.a.turns, read.b.turns)));
  const [a, b] = [byId(read.a.turns), byId(read.b.turns)];
  const starts = { a: Date.parse(runs.a.created_at), b: Date.parse(runs.b.created_at) };
  const pairs = withinCards(rows.flatMap((row) => pairOf(row, a, b)));
  const since_ms = Math.min(starts.a, starts.b) - SKEW_MS;
  const { contentsOf, ...names } = await readContents(kernel, { project_id, pairs, since_ms });
  const pairAt = new Map(pairs.map((pair) => [pair.at, pair]));
  const contentsAt = (at: number) => {
    const pair = pairAt.get(at);
    return pair && contentsOf(pair);
  };
  const now_ms = kernel.now().getTime();
  const is_timed = { a: runs.a.is_timed, b: runs.b.is_timed };
  const judged = await betweenOtherWork(judgeInSteps({ rows, a, b, contentsAt, names, now_ms, is_timed }));
  const parts = firstParting({ rows: judged, starts });
  const all = judged.map(({ row }) => row);
  const kept = verdict === undefined ? all : all.filter((row) => row.verdict === verdict);
  return {
    a: comparedRun(runs.a, read.a, now_ms),
    b: comparedRun(runs.b, read.b, now_ms),
    verdicts: countVerdicts(judged),
    ...(parts && { parts }),
    by_figures: all.filter(({ by_figures }) => by_figures).length,
    rows: kept.slice(from, from + limit),
    rows_total: kept.length,
    from,
  };
}

const byId = (turns: readonly RunTurn[]) => new Map(turns.map((turn) => [turn.agent_turn_id, turn]));

type Turns = ReadonlyMap<string, RunTurn>;

/** One turn on both sides needs no reading. */
function pairOf({ a, b, by, at }: LaidRow, turnsA: Turns, turnsB: Turns): (TurnsOfPair & { at: number })[] {
  const [one, other] = [turnsA.get(a ?? ""), turnsB.get(b ?? "")];
  if (!one || !other || one.agent_turn_id === other.agent_turn_id) return [];
  return [{ a: one, b: other, is_fork: by === "forked_from", at }];
}

function withinCards<T extends TurnsOfPair>(pairs: readonly T[]): T[] {
  const cardsIn = ({ context_cards, output_start, output_cards }: RunTurn) =>
    context_cards + output_start + output_cards;
  let cards = 0;
  return pairs.filter(({ a, b }, at) => {
    cards += cardsIn(a) + cardsIn(b);
    return at === 0 || cards <= CARDS_MAX;
  });
}

function countVerdicts(judged: readonly JudgedRow[]): RunComparison["verdicts"] {
  const count = (of: CompareVerdict) => judged.filter(({ row }) => row.verdict === of).length;
  return { same: count("same"), changed: count("changed"), only_a: count("only_a"), only_b: count("only_b") };
}

// What each of two runs took. What was taken over from another run cost it nothing. Pure.
import type { ComparedRun, CompareFigures } from "@/server/contract/run-compare/run-comparison";
import type { RunTurn, RunTurns } from "./read-run-turns";
import type { RunHead } from "./read-two-runs";

export function comparedRun(run: RunHead, { turns, total }: RunTurns, now_ms: number): ComparedRun {
  const own = turns.filter(({ as_in_run }) => as_in_run === null);
  const { is_timed: _timed, ...head } = run;
  return { ...head, compared: own.length, total, figures: figuresOf(run, own, now_ms) };
}

function figuresOf(run: RunHead, turns: readonly RunTurn[], now_ms: number): CompareFigures {
  const sum = (of: (turn: RunTurn) => number) => turns.reduce((all, turn) => all + of(turn), 0);
  const priced = turns.flatMap(({ cost }) => cost ?? []);
  const tokens = { tokens_in: sum(({ tokens_in }) => tokens_in), tokens_out: sum(({ tokens_out }) => tokens_out) };
  const ends = turns.map(({ ended_at }) => (ended_at === null ? now_ms : new Date(ended_at).getTime()));
  return {
    turns: turns.length,
    live: sum(({ ended_at }) => (ended_at === null ? 1 : 0)),
    failed: sum(({ status }) => (status === "failed" || status === "timeout" ? 1 : 0)),
    ...(tokens.tokens_in + tokens.tokens_out > 0 && tokens),
    ...(priced.length > 0 && { cost: priced.reduce((all, cost) => all + cost, 0) }),
    unpriced: sum(({ cost, tokens_in, tokens_out }) => (cost === null && tokens_in + tokens_out > 0 ? 1 : 0)),
    ...(run.is_timed && {
      duration_ms: Math.max(0, ends.reduce((last, end) => Math.max(last, end), 0) - Date.parse(run.created_at)),
    }),
  };
}

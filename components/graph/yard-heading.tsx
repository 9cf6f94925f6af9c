"use client";

// What this page is, for those who hear it and in the browser's tab: the eye reads it from the run's menu.
import { personName } from "@/components/domain/agent-names";
import { formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { useTabTitle } from "@/components/ui/tab-title";
import { turnLabel } from "./turn-words";
import { useRun } from "./use-run";
import { useTopology, useTurn, useYard } from "./yard-context";

export function YardHeading() {
  const { selectedId } = useYard();
  const run = useRun(useTopology().scope);
  const turn = useTurn(selectedId ?? "");
  const ownRun = useRun(turn?.root_turn_id ?? "");
  const name = turn && `${turn.headcode} ${turn.is_human ? personName(turn.agent_id) : turnLabel(turn)}`;
  const shown = turn === undefined ? run : ownRun;
  useTabTitle(name, shown === undefined ? "All runs" : runTitle(shown, turn !== undefined));
  return <h1 className="sr-only">{run ? `Yard, run ${run.number}: ${run.title}` : "Yard, all runs"}</h1>;
}

/** Behind a turn its number is enough; by itself the run has what it is about. */
const runTitle = (run: { number: number; title: string }, isBehind: boolean): string =>
  isBehind || run.title === ""
    ? `Run ${formatNumber(run.number)}`
    : `Run ${formatNumber(run.number)}: ${plainWords(run.title)}`;

"use client";

// Two runs beside each other: what each took, where they part, every turn with what became of it, and one pair in full.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useRef } from "react";
import { Failure } from "@/components/domain/failure";
import { RowPages } from "@/components/domain/row-pages";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { VerdictBar } from "@/components/domain/verdict-bar";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { useRowKeys } from "@/components/ui/use-row-keys";
import type { RunComparison } from "@/server/contract/run-compare/run-comparison";
import { CompareChoice } from "./compare-choice";
import { CompareFigures } from "./compare-figures";
import { CompareHead } from "./compare-head";
import { compareParams } from "./compare-params";
import { COMPARE_ROWS, compareQuery } from "./compare-query";
import { CompareSkeleton } from "./compare-skeleton";
import { CompareTable } from "./compare-table";
import { CompareTree } from "./compare-tree";
import { compareMarks, compareNames, compareOrder, keyOf, tabOf } from "./compare-words";
import { PairPanel } from "./pair-panel";
import "./run-compare.css";

export function CompareScreen({ projectId }: { projectId: string }) {
  const [params, setParams] = useQueryStates(compareParams, { history: "push" });
  // As the page on the server reads them: `a=` without an id is no run yet.
  const [a, b, like] = [params.a || null, params.b || null, params.like || null];
  if (a !== null && b !== null) return <Two projectId={projectId} a={a} b={b} />;
  // The one that is opened stands at the right: it is compared with the other.
  return (
    <CompareChoice
      projectId={projectId}
      known={b ?? a}
      like={like}
      onPick={(id) =>
        void setParams({ ...(b === null && a === null ? { b: id } : b === null ? { b: id } : { a: id }), like: null })
      }
    />
  );
}

function Two({ projectId, a, b }: { projectId: string; a: string; b: string }) {
  const trpc = useTRPC();
  const [{ verdict, from }] = useQueryStates(compareParams);
  const again = useReadAgain(pace.often);
  const once = useReadAgain(false);
  const read = useQuery({
    ...trpc.debugger.compare.queryOptions(compareQuery(projectId, { a, b }, { verdict, from }), patientForEver),
    placeholderData: keepPreviousData,
    // While one of them runs, what is compared changes.
    refetchInterval: (query) => (isLive(query.state.data) ? again : once).refetchInterval(query),
  });
  if (read.data) return <Loaded projectId={projectId} comparison={read.data} />;
  if (!read.error) return <CompareSkeleton />;
  return (
    <Failure
      error={read.error}
      what="comparison"
      onRetry={read.refetch}
      way={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/compare`}>
          Choose two runs
        </Link>
      }
    />
  );
}

const isLive = (comparison: RunComparison | undefined): boolean =>
  comparison !== undefined && comparison.a.figures.live + comparison.b.figures.live > 0;

const group = "Compare runs";

function Loaded({ projectId, comparison }: { projectId: string; comparison: RunComparison }) {
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const [{ verdict, pair, tab, step, ...asked }, setParams] = useQueryStates(compareParams);
  const { a, b, rows, rows_total, verdicts, parts, by_figures } = comparison;
  const names = compareNames(a.number, b.number);
  const chosen =
    pair === null ? undefined : rows.find((row) => [row.a, row.b].some((turn) => turn?.agent_turn_id === pair));
  const open = (next: string) => void setParams({ pair: next, step: null, tab: null });
  const close = () => void setParams({ pair: null, step: null });
  // As they are asked for: after a swap the last answer is shown until the next one is there.
  const [rootA, rootB] = [asked.a ?? a.root_turn_id, asked.b ?? b.root_turn_id];
  const swap = () => void setParams({ a: rootB, b: rootA, pair: null, step: null, from: null });
  const showParting = () => {
    const id = (parts?.a ?? parts?.b)?.agent_turn_id;
    if (id !== undefined)
      void setParams({
        pair: id,
        verdict: null,
        from: null,
        step: null,
        tab: null,
      });
  };
  useRowKeys(list, group, "turn");
  useShortcut("p", "Where they part", showParting, { group, isEnabled: parts !== undefined });
  useShortcut("x", "Swap the two runs", swap, { group });
  useShortcut(
    "esc",
    chosen ? "Close the chosen turns" : "Back to the yard",
    () => (chosen ? close() : router.push(`/p/${encodeURIComponent(projectId)}?run=${encodeURIComponent(rootB)}`)),
    { group },
  );
  useTabTitle(`Run ${formatNumber(a.number)} and run ${formatNumber(b.number)}`);
  const weights = Object.fromEntries(
    compareOrder.flatMap((one) => (verdicts[one] === 0 ? [] : [[one, { cards: verdicts[one], tokens: 0 }]])),
  );
  return (
    <div className="compare-screen">
      <CompareHead
        projectId={projectId}
        comparison={comparison}
        onChoose={(side, id) => void setParams({ [side]: id, pair: null, step: null, from: null, verdict: null })}
        onSwap={swap}
        onParting={showParting}
      />
      <CompareFigures a={a} b={b} />
      <div className="compare-bar">
        <VerdictBar
          order={compareOrder}
          names={names}
          legend="Turns to show"
          sign={(one) => (
            <i className="compare-mark" data-verdict={one} aria-hidden>
              {compareMarks[one]}
            </i>
          )}
          weights={weights}
          value={verdict}
          onChange={(next) => void setParams({ verdict: next, from: null })}
        />
        {by_figures === 0 ? null : (
          <p className="text-st-partial">
            {formatCount(by_figures, "pair")} compared by status, steps, cards and tokens only: there are too many cards
          </p>
        )}
      </div>
      {rows_total === 0 ? (
        <EmptyState title="No such turns" cause="The other filters have the turns." />
      ) : rows.length === 0 ? null : (
        <div className="compare-body">
          <CompareTree comparison={comparison} pair={pair} onPair={open} />
          <CompareTable comparison={comparison} pair={pair} onPair={open} list={list} />
        </div>
      )}
      <RowPages
        noun="turn"
        {...{ from: comparison.from, shown: rows.length, total: rows_total, size: COMPARE_ROWS }}
        onFrom={(next) => void setParams({ from: next })}
      />
      {chosen ? (
        <PairPanel
          key={keyOf(chosen)}
          projectId={projectId}
          comparison={comparison}
          row={chosen}
          tab={tab ?? tabOf(chosen.parts)}
          step={step}
          onTab={(next) => void setParams({ tab: next })}
          onStep={(next) => void setParams({ step: next })}
          onClose={close}
        />
      ) : null}
    </div>
  );
}

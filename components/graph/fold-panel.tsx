"use client";

// What a folded wagon holds, beside the yard: how its turns stand, and each of them to select.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { FactLines } from "@/components/ui/facts";
import { formatCompact, formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { FoldFigures } from "./fold-figures";
import { belowWords, foldCount, foldMatches, matchWords, statWords } from "./fold-words";
import { type FoldView, worstOf } from "./plan/fold-view";
import { heldTitle } from "./run-stats";
import { useYard } from "./yard-context";

/** The list is for a look: the timeline has all of them. */
const LISTED_MAX = 100;

export type FoldPanelProps = { fold: FoldView };

export function FoldPanel({ fold }: FoldPanelProps) {
  const { select, setFold, matches } = useYard();
  const found = foldMatches(fold, matches);
  const shown = fold.turns
    .filter((turn) => matches === null || matches.has(turn.agent_turn_id))
    .sort((a, b) => (a.status === b.status ? 0 : worstOf([a.status, b.status]) === a.status ? -1 : 1));
  const more = shown.length - LISTED_MAX;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <header className="px-4 pt-3.5 pb-3">
        <p className="text-ink-3">{fold.kind === "batch" ? "A folded batch" : "Calls alike, folded"}</p>
        <h2 dir="auto" className="mt-1 text-title">
          {foldCount(fold)} of {fold.name}
        </h2>
        {belowWords(fold) === null ? null : <p className="mt-1 text-ink-2">{belowWords(fold)}</p>}
        <Button size="sm" className="mt-2.5" icon="plus" onClick={() => setFold(fold.id, false)}>
          Unfold
        </Button>
      </header>
      <Section>
        <FactLines
          facts={[
            {
              name: "State",
              value: (
                <span className="flex items-center gap-2.5">
                  <FoldFigures fold={fold} />
                  <span className="sr-only">{statWords(fold)}</span>
                </span>
              ),
            },
            {
              name: "Held",
              value: <span title={heldTitle}>{formatCompact(fold.stats.tokens)} tokens, all turns added up</span>,
            },
          ]}
        />
      </Section>
      <Section title="Turns" note={found === null ? formatNumber(fold.turns.length) : matchWords(found, fold)}>
        <ul>
          {shown.slice(0, LISTED_MAX).map((turn) => (
            <li key={turn.agent_turn_id}>
              <button
                type="button"
                className="-mx-1.5 flex h-7 w-[calc(100%+12px)] items-center gap-2 rounded-1 px-1.5 text-left hover:bg-raise"
                onClick={() => select(turn.agent_turn_id)}
              >
                <Aspect status={turn.status} size={14} />
                <span dir="auto" className="min-w-0 flex-1 truncate" title={plainWords(turn.title)}>
                  {plainWords(turn.title)}
                </span>
                <Plate code={turn.headcode} />
              </button>
            </li>
          ))}
        </ul>
        {more > 0 ? <p className="mt-1 text-ink-3">{formatNumber(more)} more are in the timeline.</p> : null}
      </Section>
    </div>
  );
}

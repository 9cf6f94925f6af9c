// How the turns of a folded wagon stand: a lamp and a number each, the same to scale, and what must not be hidden by folding.
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import { partWords } from "@/components/ui/sign-words";
import { foldGroups, foldLamps } from "./fold-words";
import type { FoldView } from "./plan/fold-view";
import { groupStatuses } from "./run-stats";
import { useFoldSigns } from "./yard-context";

export function FoldFigures({ fold }: { fold: FoldView }) {
  return foldLamps(fold).map(({ group, status, count, words }) => (
    <span key={group} className="fold-figure" title={words}>
      <Aspect status={status} size={12} label={null} />
      {count}
    </span>
  ));
}

export function FoldShare({ fold }: { fold: FoldView }) {
  const { stats, turns, count } = fold;
  const all = Math.max(1, turns.length, count);
  return (
    <span aria-hidden className="folded-share">
      {foldGroups.map((group) => {
        const [status] = groupStatuses[group];
        return stats[group] === 0 ? null : (
          <i key={group} style={{ width: `${(stats[group] / all) * 100}%`, background: `var(--st-${status})` }} />
        );
      })}
    </span>
  );
}

/** That one of them waits for a person or has an alarm must not be hidden by folding it. */
export function FoldSigns({ fold }: { fold: FoldView }) {
  const { asking, alarmed } = useFoldSigns(fold);
  return (
    <>
      {fold.turns.some((turn) => turn.mark) ? (
        <span className="flex-none text-st-failed" title={partWords.flag}>
          <Icon name="flag" size={12} />
        </span>
      ) : null}
      {asking === 0 ? null : (
        <span className="flex-none" title={`${asking} of them ${asking === 1 ? "waits" : "wait"} for a person`}>
          <Icon name="person" size={12} />
        </span>
      )}
      {alarmed === 0 ? null : (
        <span
          className="flex-none text-st-partial"
          title={`${alarmed} of them ${alarmed === 1 ? "has" : "have"} an alarm`}
        >
          <Icon name="warn" size={12} />
        </span>
      )}
    </>
  );
}

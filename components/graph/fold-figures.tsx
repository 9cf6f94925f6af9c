// How the turns of a folded wagon stand: a lamp and a number each, and the same to scale.
import { Aspect } from "@/components/ui/aspect";
import { foldGroups } from "./fold-words";
import type { FoldView } from "./plan/fold-view";
import { groupStatuses, type RunStats } from "./run-stats";

export function FoldFigures({ stats }: { stats: RunStats }) {
  return foldGroups.map((group) => {
    const [status] = groupStatuses[group];
    return stats[group] === 0 || status === undefined ? null : (
      <span key={group} className="fold-figure" title={`${stats[group]} ${group}`}>
        <Aspect status={status} size={12} label={null} />
        {stats[group]}
      </span>
    );
  });
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

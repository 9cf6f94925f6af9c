"use client";

// The run in one line at the upper left. Each figure is also the filter for what it counts.
import { useQueryStates } from "nuqs";
import { Aspect } from "@/components/ui/aspect";
import { formatCompact, formatCost, formatCount, formatNumber } from "@/components/ui/format";
import { AlarmCounts } from "./alarm-counts";
import { groupStatuses, heldTitle, runStats, type StatGroup } from "./run-stats";
import { useTurns } from "./yard-context";
import { yardParams } from "./yard-url";

const groups: readonly StatGroup[] = ["done", "running", "waiting", "failed", "canceled"];

export function RunFigures() {
  const stats = runStats(useTurns());
  const { toggle, isOn } = useStatGroups();
  return (
    <fieldset className="yard-float yard-stats" aria-label="Run figures">
      {groups
        .filter((group) => group !== "canceled" || stats.canceled > 0)
        .map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={isOn(group)}
            title={`Show only ${group}`}
            onClick={() => toggle(group)}
          >
            <Aspect status={groupStatuses[group][0] ?? "queued"} size={14} label={null} />
            <b>{formatNumber(stats[group])}</b> <span className="max-[1000px]:sr-only">{group}</span>
          </button>
        ))}
      <i aria-hidden className="mx-1 h-3.5 w-px bg-line-2" />
      <span className="px-1 text-ink-2" title={heldTitle}>
        {formatCompact(stats.tokens)} tokens held
      </span>
      {stats.cost === null ? null : (
        <span
          className="px-1 text-ink-2"
          title={stats.unpriced === 0 ? undefined : `${formatCount(stats.unpriced, "turn")} without a price left out`}
        >
          {formatCost(stats.cost)}
          {stats.unpriced === 0 ? null : <span className="sr-only"> and turns without a price</span>}
        </span>
      )}
      <AlarmCounts />
    </fieldset>
  );
}

/** Which groups the status filter of the address stands for, and how to switch one. */
export function useStatGroups() {
  const [{ status }, setParams] = useQueryStates(yardParams);
  const isOn = (group: StatGroup) => groupStatuses[group].every((one) => status.includes(one));
  const toggle = (group: StatGroup) => {
    const others = status.filter((one) => !groupStatuses[group].includes(one));
    void setParams({ status: isOn(group) ? others : [...others, ...groupStatuses[group]] });
  };
  return { isOn, toggle };
}

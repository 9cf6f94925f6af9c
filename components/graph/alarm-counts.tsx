"use client";

// How many alarms the shown run has, by rule, beside its figures. Each leads to the list.
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { alarmNames } from "@/components/domain/alarm-words";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { ALARMS_SHOWN } from "@/server/contract/alarm-rules";
import { countAlarms } from "./plan/alarms";
import { ALL_RUNS } from "./plan/yard-turns";
import { useTopology, useYard } from "./yard-context";

/** Rules that are named; the others are counted together. */
const NAMED = 2;

export function AlarmCounts({ isPhone = false }: { isPhone?: boolean }) {
  const { projectId, live } = useYard();
  const { scope } = useTopology();
  const getAlarms = useCallback(() => live.getPicture().alarm, [live]);
  const getRules = useCallback(() => live.getPicture().alarm_rule, [live]);
  const alarms = useSyncExternalStore(live.subscribe, getAlarms, getAlarms);
  const rules = useSyncExternalStore(live.subscribe, getRules, getRules);
  const counts = useMemo(
    () => countAlarms(alarms, rules, (root) => scope === ALL_RUNS || root === scope),
    [alarms, rules, scope],
  );
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const run = scope === ALL_RUNS ? "" : `&run=${encodeURIComponent(scope)}`;
  const base = `/p/${encodeURIComponent(projectId)}/alarms?`;
  const most = counts.toSorted((a, b) => b.count - a.count);
  const named = isPhone ? [] : most.slice(0, NAMED);
  const rest = total - named.reduce((sum, { count }) => sum + count, 0);
  // The yard begins with the newest of them.
  const orMore = alarms.size >= ALARMS_SHOWN ? " or more" : "";
  return (
    <nav className="alarm-counts" aria-label="Alarms by rule">
      <Icon name="warn" size={14} className="text-st-partial" />
      {named.map(({ rule, count }) => (
        <Link key={rule} href={`${base}rule=${rule}${run}`} title="Show the alarms of this rule">
          <b>{formatNumber(count)}</b> {alarmNames[rule]}
        </Link>
      ))}
      {rest === 0 && named.length > 0 ? null : (
        <Link href={`${base}${run.slice(1)}`}>
          <b>{formatNumber(rest)}</b>
          {orMore} {named.length > 0 ? "other" : ""} {rest === 1 ? "alarm" : "alarms"}
        </Link>
      )}
    </nav>
  );
}

"use client";

// The alarms of a project, newest first: filters by rule with their counts, rows that lead to what they are about, and mutes.
import { useMutation } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { alarmNames } from "@/components/domain/alarm-words";
import { countedNumber, countedSum } from "@/components/domain/counted";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { useIsSettled } from "@/components/ui/use-is-settled";
import type { AlarmLine } from "@/server/contract/alarm-page";
import { alarmRules } from "@/server/contract/alarm-rules";
import { AlarmRow } from "./alarm-row";
import { LimitsDialog } from "./limits-dialog";
import { MuteDialog } from "./mute-dialog";
import { useAlarms } from "./use-alarms";
import "./alarms.css";

const filters = {
  rule: parseAsStringLiteral(alarmRules),
  run: parseAsString,
  subject: parseAsString,
  muted: parseAsBoolean.withDefault(false),
  limits: parseAsBoolean.withDefault(false),
};
const columns: readonly ListColumn[] = [
  { name: "Rule", width: "minmax(150px,0.8fr)" },
  { name: "What", width: "minmax(0,2fr)" },
  { name: "Where", width: "minmax(120px,1fr)" },
  { name: "When", width: "84px" },
  { name: "", width: "124px", isRight: true },
];

export function AlarmsScreen({ projectId }: { projectId: string }) {
  const [filter, setFilter] = useQueryStates(filters);
  const { list, isLive } = useAlarms(projectId, filter);
  const [asked, setAsked] = useState<AlarmLine | null>(null);
  const lines = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  const counts = list.data?.pages[0]?.counts ?? [];
  const active = countedSum(counts.map((one) => one.active));
  const unmute = useUnmute();
  const isSettled = useIsSettled();
  const hasFilter = Boolean(filter.rule || filter.run || filter.subject);
  const clear = () => void setFilter({ rule: null, run: null, subject: null });
  return (
    <>
      <ListFrame
        title="Alarms"
        what="list of alarms"
        one="alarm"
        columns={columns}
        rowHeight={48}
        items={lines}
        query={list}
        none={<Nothing projectId={projectId} hasFilter={hasFilter} onClear={clear} />}
        filters={
          <>
            {counts.map(({ rule, active: own, muted }) => {
              const n = filter.muted ? own + muted : own;
              return n === 0 && filter.rule !== rule ? null : (
                <ToggleChip
                  key={rule}
                  isOn={filter.rule === rule}
                  onChange={(isOn) => void setFilter({ rule: isOn ? rule : null })}
                >
                  {alarmNames[rule]} <span className="text-ink-3">{countedNumber(n)}</span>
                </ToggleChip>
              );
            })}
            {!filter.run ? null : (
              <Chip name="run" onRemove={() => void setFilter({ run: null })}>
                {runName(lines) ?? `…${filter.run.slice(-4)}`}
              </Chip>
            )}
            {!filter.subject ? null : (
              <Chip name="about" isMono onRemove={() => void setFilter({ subject: null })}>
                {`…${filter.subject.slice(-4)}`}
              </Chip>
            )}
            <span className="flex-1" />
            {lines === undefined || list.isPlaceholderData ? null : (
              <span className="text-ink-3">
                {active} not muted{isLive ? ", live" : ""}
              </span>
            )}
            <ToggleChip isOn={filter.muted} onChange={(isOn) => void setFilter({ muted: isOn ? true : null })}>
              Show muted
            </ToggleChip>
            <Button size="sm" icon="settings" onClick={() => void setFilter({ limits: true })}>
              Limits
            </Button>
          </>
        }
      >
        {(all) => (
          <>
            {all.map((line) => (
              <AlarmRow
                key={line.alarm_id}
                projectId={projectId}
                line={line}
                isBusy={unmute.isPending && unmute.variables.alarm_id === line.alarm_id}
                onMute={() => setAsked(line)}
                onUnmute={() =>
                  unmute.mutate({ project_id: projectId, alarm_id: line.alarm_id, scope: line.muted?.scope ?? "this" })
                }
              />
            ))}
            <More shown={all.length} one="alarm" list={list} />
          </>
        )}
      </ListFrame>
      {filter.limits && isSettled ? (
        <LimitsDialog projectId={projectId} onClose={() => void setFilter({ limits: null })} />
      ) : null}
      {asked === null ? null : <MuteDialog projectId={projectId} line={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const runName = (lines: readonly AlarmLine[] | undefined): string | undefined => {
  const number = lines?.[0]?.run_number;
  return number === undefined ? undefined : formatNumber(number);
};

/** The list reads again when the frame comes. */
function useUnmute() {
  const trpc = useTRPC();
  return useMutation(
    trpc.alarm.unmute.mutationOptions({
      onError: (error) => announce({ title: "Could not unmute it", detail: error.message, status: "failed" }),
    }),
  );
}

type NothingProps = { projectId: string; hasFilter: boolean; onClear: () => void };

function Nothing({ projectId, hasFilter, onClear }: NothingProps) {
  return hasFilter ? (
    <NoFit
      title="No matching alarms"
      cause="Alarms of other rules, runs or turns may exist, or they are muted."
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No alarms"
      cause="Switchyard checks each turn and batch a few seconds after it ends, and found nothing that is not muted."
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}`}>
          To the yard
        </Link>
      }
    />
  );
}

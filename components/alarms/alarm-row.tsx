"use client";

// One alarm: its rule, what was found and where, when, and who muted it and why.
import { alarmHref, alarmMeanings, alarmNames, alarmSentence } from "@/components/domain/alarm-words";
import { BoxId } from "@/components/ui/box-id";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Ago } from "@/components/ui/time";
import type { AlarmLine } from "@/server/contract/alarm-page";
import { boxPlate } from "@/server/contract/box";

export type AlarmRowProps = {
  projectId: string;
  line: AlarmLine;
  isBusy: boolean;
  onMute: () => void;
  onUnmute: () => void;
};

export function AlarmRow({ projectId, line, isBusy, onMute, onUnmute }: AlarmRowProps) {
  const { turn, muted } = line;
  const yard = `/p/${encodeURIComponent(projectId)}?run=${line.root_turn_id}&turn=${line.agent_turn_id}`;
  return (
    <div className="list-row alarm-row relative">
      <span className="flex items-center gap-1.5">
        <Icon name="warn" size={14} className={cn("flex-none", muted ? "text-ink-3" : "text-st-partial")} />
        <span className={muted ? "text-ink-2" : "font-medium"}>{alarmNames[line.rule]}</span>
      </span>
      <span>
        <Link
          data-row
          href={alarmHref(projectId, line)}
          title={alarmMeanings[line.rule]}
          className="alarm-what after:absolute after:inset-0"
        >
          {alarmSentence(line)}
        </Link>
        {muted ? (
          <span dir="auto" className="block text-ink-3 text-note">
            {muted.scope === "rule" ? "Rule muted" : "Muted"} by {muted.person}: {muted.reason}
          </span>
        ) : null}
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        {line.subject_kind === "box" ? <BoxId code={boxPlate(line.subject_id)} /> : null}
        {line.subject_kind === "card" ? (
          <span className="mono text-ink-2">card …{line.subject_id.slice(-4)}</span>
        ) : null}
        {turn === undefined ? null : (
          <Link href={yard} className="relative z-1 flex min-h-6 min-w-0 items-center gap-1.5 hover:underline">
            <Plate code={turn.headcode} />
            <span dir="auto" className="truncate text-ink-2">
              {turn.profile_name}
              {line.run_number === undefined ? "" : `, run ${line.run_number}`}
              <span className="sr-only">: {plainWords(turn.title)}</span>
            </span>
          </Link>
        )}
      </span>
      <span>
        <Ago at={line.found_at} className="text-ink-3" />
      </span>
      <span className="relative z-1 text-right">
        <Button
          size="sm"
          variant="ghost"
          disabled={isBusy}
          aria-haspopup={muted ? undefined : "dialog"}
          aria-label={`${muted ? "Unmute" : "Mute"}: ${alarmNames[line.rule]}${turn ? `, ${turn.headcode}` : ""}`}
          onClick={muted ? onUnmute : onMute}
        >
          {muted ? (muted.scope === "rule" ? "Unmute the rule" : "Unmute") : "Mute"}
        </Button>
      </span>
    </div>
  );
}

// One line about the alarms of one thing: what the only one says, or the names of several. It leads to the list.
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { Alarm } from "@/server/contract/alarm";
import { type AlarmRule, alarmRules } from "@/server/contract/alarm-rules";
import { alarmNames, alarmSentence } from "./alarm-words";
import { countedNumber, countedSum } from "./counted";
import "./alarm-note.css";

const SHOWN = 3;

export type AlarmNoteLineProps = {
  projectId: string;
  subjectId: string;
  /** Of those that are not muted. */
  first: Pick<Alarm, "rule" | "figures">;
  counts: readonly { rule: AlarmRule; active: number }[];
};

export function AlarmNoteLine({ projectId, subjectId, first, counts }: AlarmNoteLineProps) {
  const heard = counts.filter(({ active }) => active > 0);
  return (
    <Link
      className="alarm-note"
      href={`/p/${encodeURIComponent(projectId)}/alarms?subject=${encodeURIComponent(subjectId)}`}
    >
      <Icon name="warn" size={14} className="flex-none text-st-partial" />
      <span>
        {heard.length === 1 && heard[0]?.active === 1 ? (
          <>
            <b>{alarmNames[first.rule]}.</b> {alarmSentence(first)}
          </>
        ) : (
          <>
            <b>{countedSum(heard.map(({ active }) => active))} alarms:</b>{" "}
            {heard
              .slice(0, SHOWN)
              .map(({ rule, active }) => `${alarmNames[rule]}${active > 1 ? ` (${countedNumber(active)})` : ""}`)
              .join(", ")}
            {heard.length > SHOWN ? " and others" : ""}
          </>
        )}
      </span>
    </Link>
  );
}

/** In the order of the rules. */
export const countsOf = (alarms: readonly Pick<Alarm, "rule">[]): { rule: AlarmRule; active: number }[] =>
  alarmRules.map((rule) => ({ rule, active: alarms.filter((alarm) => alarm.rule === rule).length }));

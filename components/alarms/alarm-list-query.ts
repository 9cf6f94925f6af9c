// What the list of alarms asks for: the page on the server and the screen in the browser must ask the same.
import { alarmRules } from "@/server/contract/alarm-rules";

export type AlarmFilter = {
  rule?: string | null;
  run?: string | null;
  subject?: string | null;
  muted?: string | boolean | null;
};

/** Muted ones are shown when they are asked for. `run=` without an id asks for no run. */
export const alarmListQuery = (projectId: string, { rule, run, subject, muted }: AlarmFilter) => ({
  project_id: projectId,
  rule: alarmRules.find((known) => known === rule),
  root_turn_id: run || undefined,
  subject_id: subject || undefined,
  muted: muted === true || muted === "true" ? undefined : ("false" as const),
  limit: 100,
});

// Alarms: what was found in turns and batches that have ended, its mutes, and the thresholds of a project.
import { AlarmLimitsPatch, AlarmQuery, MuteBody, UnmuteBody } from "@/server/contract/alarm";
import { Alarm, AlarmLimitsState, AlarmPage } from "@/server/contract/answers/alarms";
import { muteAlarm } from "@/server/kernel/alarms/mute-alarm";
import { readAlarm } from "@/server/kernel/alarms/read-alarm";
import { readAlarmLimits, setAlarmLimits } from "@/server/kernel/alarms/set-limits";
import { unmuteAlarm } from "@/server/kernel/alarms/unmute-alarm";
import { listAlarms } from "@/server/kernel/read-models/list-alarms";
import { id, route } from "../route";

const one = "/projects/{project_id}/alarms/{alarm_id}";
const keyOf = (params: Record<string, string>) => ({
  project_id: id(params, "project_id"),
  alarm_id: id(params, "alarm_id"),
});
const limits = "/projects/{project_id}/alarm-limits";

export const alarmRoutes = [
  route({
    operationId: "listAlarms",
    method: "GET",
    path: "/projects/{project_id}/alarms",
    summary: "List alarms, newest first, with counts by rule",
    query: AlarmQuery.strict(),
    answer: AlarmPage,
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await listAlarms(kernel, {
        project_id: id(params, "project_id"),
        ...query,
      });
      return page;
    },
  }),
  route({
    operationId: "getAlarm",
    method: "GET",
    path: one,
    summary: "Get an alarm",
    answer: Alarm,
    call: ({ kernel, params }) => readAlarm(kernel, keyOf(params)),
  }),
  route({
    operationId: "muteAlarm",
    method: "POST",
    path: `${one}:mute`,
    summary: "Mute this alarm, or with scope `rule` all alarms of its rule in this project",
    body: MuteBody,
    answer: Alarm,
    call: ({ kernel, params, body: { user, ...mute } }) =>
      muteAlarm(kernel, { ...keyOf(params), ...mute, person: user }),
  }),
  route({
    operationId: "unmuteAlarm",
    method: "POST",
    path: `${one}:unmute`,
    summary:
      "Hear this alarm again, or with scope `rule` all alarms of its rule. 409 if its rule is muted and the scope is `this`",
    body: UnmuteBody,
    answer: Alarm,
    call: ({ kernel, params, body }) => unmuteAlarm(kernel, { ...keyOf(params), ...body }),
  }),
  route({
    operationId: "getAlarmLimits",
    method: "GET",
    path: limits,
    summary: "Get the thresholds of the rules of alarms",
    answer: AlarmLimitsState,
    call: ({ kernel, params }) => readAlarmLimits(kernel, { project_id: id(params, "project_id") }),
  }),
  route({
    operationId: "setAlarmLimits",
    method: "PATCH",
    path: limits,
    summary: "Set thresholds of this project, or go back to the program's (null). They hold for what ends from now on",
    body: AlarmLimitsPatch,
    answer: AlarmLimitsState,
    call: ({ kernel, params, body }) => setAlarmLimits(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
];

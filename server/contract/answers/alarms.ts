// Alarms as the API returns them.
import * as z from "zod";
import { AlarmLimits as Limits } from "../alarm";
import { alarmRules, alarmSubjects, muteScopes } from "../alarm-rules";
import { pageAnswer } from "./page";
import { TurnRef } from "./turns";

export const AlarmRule = z.enum(alarmRules).meta({ id: "AlarmRule" });
export const AlarmMute = z
  .strictObject({ scope: z.enum(muteScopes), person: z.string(), reason: z.string(), muted_at: z.string() })
  .meta({ id: "AlarmMute" });
export const Alarm = z
  .strictObject({
    alarm_id: z.string(),
    rule: AlarmRule,
    subject_kind: z.enum(alarmSubjects),
    subject_id: z.string(),
    root_turn_id: z.string().describe("The run in which it was found."),
    agent_turn_id: z.string().describe("The turn where to look."),
    figures: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe("What the rule counted, and the threshold. Never a text of a card."),
    found_at: z.string(),
    rev: z.number(),
    muted: AlarmMute.optional().describe("Absent = it is heard."),
  })
  .meta({ id: "Alarm" });
const AlarmLine = Alarm.extend({ turn: TurnRef.optional(), run_number: z.number().optional() }).meta({
  id: "AlarmLine",
});
const AlarmCount = z
  .strictObject({ rule: AlarmRule, active: z.number(), muted: z.number() })
  .meta({ id: "AlarmCount" });
export const AlarmPage = pageAnswer(AlarmLine)
  .omit({ total: true })
  .extend({
    counts: z
      .array(AlarmCount)
      .describe(
        "Of all rules with an alarm, under the same run and subject. A count stops at 1,001: there are more than 1,000.",
      ),
  });

const AlarmLimits = Limits.meta({ id: "AlarmLimits" });
export const AlarmLimitsState = z.strictObject({
  limits: AlarmLimits.describe("What holds in this project."),
  own: AlarmLimits.partial().describe("What the project has set itself."),
  defaults: AlarmLimits.describe("The program's, which hold where the project has set nothing."),
});

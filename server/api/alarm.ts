// Alarms for the browser: the list, what people mute, and the limits of the rules.
import * as z from "zod";
import { AlarmLimitsPatch, AlarmQuery, MuteBody, UnmuteBody } from "@/server/contract/alarm";
import { Id } from "@/server/contract/ids";
import { muteAlarm } from "@/server/kernel/alarms/mute-alarm";
import { readAlarmLimits, setAlarmLimits } from "@/server/kernel/alarms/set-limits";
import { unmuteAlarm } from "@/server/kernel/alarms/unmute-alarm";
import { listAlarms } from "@/server/kernel/read-models/list-alarms";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, alarm_id: Id });

export const alarmRouter = router({
  list: procedure.input(AlarmQuery.extend({ project_id: Id })).query(({ ctx, input }) => listAlarms(ctx.kernel, input)),
  mute: procedure
    .input(One.extend(MuteBody.omit({ user: true }).shape))
    .mutation(({ ctx, input }) => muteAlarm(ctx.kernel, { ...input, person: ctx.user })),
  limits: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => readAlarmLimits(ctx.kernel, input)),
  setLimits: procedure
    .input(AlarmLimitsPatch.extend({ project_id: Id }))
    .mutation(({ ctx, input }) => setAlarmLimits(ctx.kernel, input)),
  unmute: procedure.input(One.extend(UnmuteBody.shape)).mutation(({ ctx, input }) => unmuteAlarm(ctx.kernel, input)),
});

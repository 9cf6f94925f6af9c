// Alarms for the browser: the list, and what people mute.
import * as z from "zod";
import { AlarmQuery, MuteBody, UnmuteBody } from "@/server/contract/alarm";
import { Id } from "@/server/contract/ids";
import { muteAlarm } from "@/server/kernel/alarms/mute-alarm";
import { unmuteAlarm } from "@/server/kernel/alarms/unmute-alarm";
import { listAlarms } from "@/server/kernel/read-models/list-alarms";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, alarm_id: Id });

export const alarmRouter = router({
  list: procedure.input(AlarmQuery.extend({ project_id: Id })).query(({ ctx, input }) => listAlarms(ctx.kernel, input)),
  mute: procedure
    .input(One.extend(MuteBody.omit({ user: true }).shape))
    .mutation(({ ctx, input }) => muteAlarm(ctx.kernel, { ...input, person: ctx.user })),
  unmute: procedure.input(One.extend(UnmuteBody.shape)).mutation(({ ctx, input }) => unmuteAlarm(ctx.kernel, input)),
});

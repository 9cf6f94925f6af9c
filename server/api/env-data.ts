// Environment data for the browser: a run's keys, one value, and changes by a person.
import * as z from "zod";
import { OneOfRun, SaveEnvData } from "@/server/contract/env-data";
import { Id } from "@/server/contract/ids";
import { deleteEnvData } from "@/server/kernel/envdata/delete";
import { getEnvData } from "@/server/kernel/envdata/get";
import { storeEnvData } from "@/server/kernel/envdata/store";
import { readEnvSheet } from "@/server/kernel/read-models/read-env-sheet";
import { procedure, router } from "./trpc";

export const envDataRouter = router({
  sheet: procedure
    .input(z.strictObject({ project_id: Id, root_turn_id: Id.optional() }))
    .query(({ ctx, input }) => readEnvSheet(ctx.kernel, input)),
  get: procedure
    .input(OneOfRun)
    .query(({ ctx, input: { root_turn_id, ...one } }) =>
      getEnvData(ctx.kernel, { ...one, agent_turn_id: root_turn_id }),
    ),
  /** `rev` = the revision that the person saw; 0 = the key did not exist. */
  save: procedure.input(SaveEnvData).mutation(async ({ ctx, input: { root_turn_id, ...entry } }) => {
    await storeEnvData(ctx.kernel, { ...entry, value: entry.value, by: { root_turn_id, user: ctx.user } });
    return { key: entry.key };
  }),
  remove: procedure.input(OneOfRun).mutation(async ({ ctx, input: { root_turn_id, ...one } }) => {
    await deleteEnvData(ctx.kernel, { ...one, by: { root_turn_id, user: ctx.user } });
  }),
});

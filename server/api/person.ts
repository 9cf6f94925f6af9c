// What a person put into a project, for the browser: found, listed, and erased.
import * as z from "zod";
import { Reason } from "@/server/contract/deletion";
import { Id, User } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { PersonKind } from "@/server/contract/person-data";
import { erasePerson } from "@/server/kernel/deletion/erase-person";
import { listPeople } from "@/server/kernel/deletion/list-people";
import { listPersonData, readPersonData } from "@/server/kernel/deletion/read-person-data";
import { procedure, router } from "./trpc";

const ofPerson = { project_id: Id, user: User.unwrap() };

export const personRouter = router({
  people: procedure.input(z.strictObject({ project_id: Id })).query(({ ctx, input }) => listPeople(ctx.kernel, input)),
  data: procedure.input(z.strictObject(ofPerson)).query(({ ctx, input }) => readPersonData(ctx.kernel, input)),
  list: procedure
    .input(
      z.strictObject({ ...ofPerson, kind: PersonKind, ...PageQuery.shape, direction: z.literal("forward").optional() }),
    )
    .query(({ ctx, input: { direction: _, ...asked } }) => listPersonData(ctx.kernel, asked)),
  erase: procedure
    .input(z.strictObject({ ...ofPerson, reason: Reason }))
    .mutation(({ ctx, input }) => erasePerson(ctx.kernel, { ...input, by: `human_${ctx.user}` })),
});

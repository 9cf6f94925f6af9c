// Profiles for the browser: the list, one as YAML, a check before saving, saving and removing.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import type { Kernel } from "@/server/kernel/kernel";
import { listProfileLines } from "@/server/kernel/read-models/list-profile-lines";
import { readProfileSheet } from "@/server/kernel/read-models/read-profile-sheet";
import { deleteProfile } from "@/server/kernel/roster/delete-profile";
import { type ParsedProfile, parseProfile } from "@/server/kernel/roster/parse-profile";
import { profileWarnings } from "@/server/kernel/roster/profile-warnings";
import { readProfile } from "@/server/kernel/roster/read-profile";
import { readProject } from "@/server/kernel/roster/read-project";
import { DOCUMENT_BYTES_MAX, readYaml } from "@/server/kernel/roster/read-yaml";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { atLine } from "./profile-line";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, name: z.string().min(1).max(200) });
const Yaml = z.strictObject({
  project_id: Id,
  yaml: z.string().max(DOCUMENT_BYTES_MAX, "a profile has at most 1 MiB"),
});

async function parsed(kernel: Kernel, given: z.output<typeof Yaml>): Promise<ParsedProfile> {
  // Projects take turns at being read. Without this check, made-up project names would get turns too.
  await readProject(kernel, given.project_id);
  return atLine(given, async () => parseProfile(await readYaml(given.project_id, given.yaml)));
}

export const profileRouter = router({
  lines: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listProfileLines(ctx.kernel, input.project_id)),
  get: procedure.input(One).query(({ ctx, input }) => readProfile(ctx.kernel, input)),
  sheet: procedure.input(One).query(({ ctx, input }) => readProfileSheet(ctx.kernel, input)),
  /** What saving would result in, with the same errors except for a taken name. Writes nothing; a mutation because a profile is too long for a URL. */
  check: procedure.input(Yaml).mutation(async ({ ctx, input }) => {
    const profile = await parsed(ctx.kernel, input);
    const missing = await profileWarnings(ctx.kernel, { project_id: input.project_id, body: profile.body });
    return { ...profile, warnings: [...profile.warnings, ...missing] };
  }),
  save: procedure.input(Yaml).mutation(async ({ ctx, input }) => {
    const profile = await parsed(ctx.kernel, input);
    const { project_id } = input;
    const saved = await withUnit(ctx.kernel, (unit) =>
      saveProfile(unit, { project_id, profile, author_id: `human_${ctx.user}` }),
    );
    const missing = await profileWarnings(ctx.kernel, { project_id, body: profile.body });
    return { ...saved, warnings: [...profile.warnings, ...missing] };
  }),
  remove: procedure.input(One).mutation(({ ctx, input }) => deleteProfile(ctx.kernel, input)),
});

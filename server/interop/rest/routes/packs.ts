// Packing by hand: a preview of a hand-over, or the box itself.
import { PackResult } from "@/server/contract/answers/launches";
import { PackInput } from "@/server/contract/pack";
import { packContext } from "@/server/kernel/context/pack-context";
import { renderer } from "@/server/kernel/provenance/renderer";
import { readProject } from "@/server/kernel/roster/read-project";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { withUnit } from "@/server/kernel/unit";
import { id, route } from "../route";

export const packRoutes = [
  route({
    operationId: "packContext",
    method: "POST",
    path: "/projects/{project_id}/context:pack",
    summary: "Pack a hand-over. With `dry_run`: the same receipt and the rendered prompt, and nothing is written",
    body: PackInput,
    answer: PackResult,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const { profile, length, token_sum, consist, instruction_card_id, ...result } = await withUnit(kernel, (unit) =>
        packContext(unit, { project_id, ...body, renderer, offer: readOffers }),
      );
      return result;
    },
  }),
];

// An agent makes the bundle of what a goal needs, for itself to read or for another agent to work with.
import { packCode } from "@/server/contract/context-pack/pack-code";
import { PackToBuild } from "@/server/contract/context-pack/request";
import { PACK_LIMITS } from "@/server/contract/context-pack/sidecar";
import type { HandedPack } from "../context/pack-cards";
import { lockCaller } from "../delegation/caller";
import { parseArgs } from "../delegation/parse-args";
import { handPacks } from "../packs/hand-packs";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";
import { packParameters } from "./pack-parameters";

export const buildContextPack: InlineTool = {
  tool_name: "build_context_pack",
  description:
    "Collect the least context that one goal needs: excerpts of documents, files and your cards, and earlier decisions, within a token limit and without secrets. Returns the pack's id. Give it to delegate_async, fork_join or ask_expert as context_pack.",
  parameters: { type: "object", properties: packParameters, required: ["goal"], additionalProperties: false },
  run: async (context, args) => {
    const { kernel, turn, tool_call_id } = context;
    const request = parseArgs(PackToBuild, args);
    return withUnit(kernel, async (unit) => {
      const caller = await lockCaller(unit, turn.project_id, callerOf(context), "build_context_pack");
      if (isFenced(caller)) return caller;
      const [handed] = await handPacks(unit, {
        project_id: turn.project_id,
        by: { turn: caller.turn, body: caller.body, is_human: false, tool_call_id },
        requests: [request],
        at: () => "",
        dry_run: false,
      });
      if (!handed) throw new Error("a pack was built and did not come back");
      return { status: "success", result: toldPack(handed) };
    });
  },
};

/** What a model needs of it: how to name it, and what is missing in it. */
export function toldPack({ pack, sidecar, sha256, ref }: HandedPack) {
  const { trimmed, redactions, conflicts, warnings, estimate, profile } = sidecar;
  return {
    pack_id: pack.packId,
    code: packCode(sha256),
    ref,
    sha256,
    tokens: estimate,
    tokens_max: PACK_LIMITS[profile],
    left_out: trimmed.filter(({ action }) => action === "removed").map(({ key }) => key),
    redactions: redactions.reduce((sum, { count }) => sum + count, 0),
    conflicts,
    warnings,
  };
}

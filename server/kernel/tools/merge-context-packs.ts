// An agent makes one pack of several, such as those of its branches. Where they disagree, the first wins, and the conflicts are told.
import { PacksToMerge } from "@/server/contract/context-pack/merge-request";
import { ExpandedReason } from "@/server/contract/context-pack/sidecar";
import { isRecord } from "@/server/contract/is-record";
import { passAll } from "../attempt";
import { lockCaller } from "../delegation/caller";
import { parseArgs } from "../delegation/parse-args";
import { findPacks } from "../packs/find-packs";
import { mergeIn } from "../packs/merge-context-packs";
import { readPackBytes } from "../packs/pack-bytes";
import { refuseForeignPacks } from "../packs/pack-rights";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { toldPack } from "./build-context-pack";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";

export const mergeContextPacks: InlineTool = {
  tool_name: "merge_context_packs",
  description:
    "Make one context pack of several, such as the context_pack_ref of each result of fork_join. Where they disagree, the pack that is named first wins. Returns the new pack's id, and the conflicts.",
  parameters: {
    type: "object",
    properties: {
      packs: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: { pack_id: { type: "string" }, ref: { type: "string" }, sha256: { type: "string" } },
          additionalProperties: false,
        },
        description: "Each with its pack_id, or with its ref. The order decides who wins.",
      },
      goal: {
        type: "string",
        description: "What the reader of the merged pack is to achieve. Default: all goals, one per line.",
      },
      profile: { type: "string", enum: ["routine", "expanded"], description: "The limit, as for build_context_pack." },
      reason: { type: "string", enum: ExpandedReason.options, description: "expanded only: why so much is needed." },
    },
    required: ["packs"],
    additionalProperties: false,
  },
  run: async (context, args) => {
    const { kernel, turn, tool_call_id } = context;
    const { project_id, agent_turn_id, root_turn_id } = turn;
    const node_id = `${agent_turn_id}:${tool_call_id}`.slice(0, 256);
    const request = parseArgs(PacksToMerge, isRecord(args) ? { node_id, ...args } : args);
    return withUnit(kernel, async (unit) => {
      const caller = await lockCaller(unit, project_id, callerOf(context), "merge_context_packs");
      if (isFenced(caller)) return caller;
      const packs = await findPacks(unit, { project_id, packs: request.packs, field: "packs" });
      const by = { turn: caller.turn, body: caller.body, is_human: false };
      const records = passAll(await refuseForeignPacks(unit, { project_id, by, packs, at: (i) => `packs.${i}` }));
      const created_by = caller.turn.agent_id;
      const { record } = await mergeIn(unit, { project_id, request, records, created_by, root_turn_id, agent_turn_id });
      const [read] = await readPackBytes(unit, { project_id, records: [record] });
      if (!read) throw new Error("a pack was merged and did not come back");
      const { pack, sidecar } = read;
      return {
        status: "success",
        result: toldPack({ pack, sidecar, sha256: record.sha256, ref: record.artifact_ref }),
      };
    });
  },
};

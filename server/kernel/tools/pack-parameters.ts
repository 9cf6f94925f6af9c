// What the tools say of a context pack that is to be built (server/contract/context-pack/request.ts).
import { GOAL_MAX } from "@/server/contract/context-pack/request";
import { ExpandedReason, PACK_LIMITS } from "@/server/contract/context-pack/sidecar";

const text = { type: "string" };
const texts = { type: "array", items: text };

export const packParameters = {
  goal: {
    type: "string",
    maxLength: GOAL_MAX,
    description: "What the reader is to achieve, in one to three sentences.",
  },
  definition_of_done: { ...texts, description: "What must be true at the end. One sentence each." },
  mode: {
    type: "string",
    enum: ["implementation", "planning"],
    description: "planning: the reader may only write documents. Default: implementation.",
  },
  from_boxes: { ...texts, description: "Ids of boxes of yours to take text from." },
  from_cards: { ...texts, description: "Ids of single cards to take text from." },
  decisions_from: { ...texts, description: "Ids of earlier packs whose decisions still hold." },
  constraints: { type: "object", description: 'Rules for the work, such as {"noNewDependencies": true}.' },
  profile: {
    type: "string",
    enum: ["routine", "expanded"],
    description: `routine: at most ${PACK_LIMITS.routine} tokens (the default). expanded: at most ${PACK_LIMITS.expanded}, and needs a reason.`,
  },
  reason: { type: "string", enum: ExpandedReason.options, description: "expanded only: why so much is needed." },
};

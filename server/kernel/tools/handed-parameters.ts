// What the delegation tools say of the arguments they have in common (server/contract/handed.ts).
import { LOAD_MAX } from "@/server/contract/handed";
import { packParameters } from "./pack-parameters";

const text = { type: "string" };

export const handedParameters = {
  context_box_id: {
    anyOf: [text, { type: "array", items: text }],
    description: "Ids of boxes of yours. The agent sees all of their cards.",
  },
  context_card_ids: { type: "array", items: text, description: "Ids of single cards that the agent sees." },
  load: {
    type: "array",
    maxItems: LOAD_MAX,
    items: { type: "object", properties: { box_id: text, card_id: text }, additionalProperties: false },
    description:
      "Boxes and cards that the agent sees, in exactly this order. Each item has a box_id or a card_id. They come after context_box_id and context_card_ids.",
  },
  recipe: {
    type: "string",
    description: "A saved recipe, as name or name@version. It says which cards pass, and in which order.",
  },
  arguments: { type: "object", description: "Values for the recipe's own arguments, by name." },
  context_tokens_max: {
    type: "integer",
    description: "Refuse the call if the agent would be given more tokens than this.",
  },
  context_pack: {
    type: "object",
    description:
      "A context pack that the agent reads before its task: {pack_id} of one that exists, or what to build it from now.",
    properties: {
      pack_id: { type: "string", description: "The id of a pack. Give nothing else with it." },
      ...packParameters,
    },
    additionalProperties: false,
  },
};

// The built-in recipe `instruction` of every delegation: what was handed over first, the instruction after it, so that the
// newest instruction is the last thing a user says; the pointer to the caller last.
import type { HandoverInput } from "@/server/contract/pack";

/** Arguments: instruction, input_box_ids, input_card_ids; the profile is named by `profile_name` among them. */
export function instructionRecipe(input: { hasBoxes: boolean; hasCards?: boolean }): HandoverInput {
  return {
    context_packing_config: {
      pack_arguments: [{ arg_key: "instruction", as_card_type: "task.instruction" }],
      inherit_context: {
        include_boxes_from_args: input.hasBoxes ? ["input_box_ids"] : [],
        include_cards_from_args: input.hasCards ? ["input_card_ids"] : [],
        include_parent: true,
      },
      order: "inherited_first",
    },
  };
}

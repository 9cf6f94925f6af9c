// The built-in recipe `instruction` of every delegation that names no other: what was handed over first, the instruction after
// it, so that the newest instruction is the last thing a user says; the pointer to the caller last.
import type { HandoverInput } from "./pack";

/** The profile is named by `profile_name` among the arguments. */
export const instructionRecipe = {
  context_packing_config: {
    pack_arguments: [{ arg_key: "instruction", as_card_type: "task.instruction" }],
    inherit_context: {
      include_boxes_from_args: ["input_box_ids"],
      include_cards_from_args: ["input_card_ids"],
      include_from_args: ["load"],
      include_parent: true,
    },
    order: "inherited_first",
  },
} satisfies HandoverInput;

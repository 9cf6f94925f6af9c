// What a delegation hands over beside its instruction: the same for delegate_async, launch_principal, each task of fork_join and
// ask_expert.
import * as z from "zod";
import { ContextPackRequest } from "./context-pack/request";
import { Id } from "./ids";
import { RecipeName } from "./recipe-name";
import { InstructionInput, TargetStrategyInput } from "./target";

/** Entries of one `load`. */
export const LOAD_MAX = 64;
/** Single cards in `context_card_ids`. */
const CARDS_MAX = 500;
/** For the recipe's own rules. */
export const ARGUMENTS_MAX = 20;

/** A box or a card, at its place in an ordered list. */
export const LoadEntry = z.union([z.strictObject({ box_id: Id }), z.strictObject({ card_id: Id })]);
export type LoadEntry = z.infer<typeof LoadEntry>;

const RecipeArguments = z
  .record(z.string().min(1).max(128), z.json())
  .refine((given) => Object.keys(given).length <= ARGUMENTS_MAX, `at most ${ARGUMENTS_MAX} arguments`);

export const handed = {
  context_box_id: z.union([Id, z.array(Id)]).optional(),
  /** Single cards from boxes that the caller may hand over. */
  context_card_ids: z.array(Id).max(CARDS_MAX).optional(),
  /** Boxes and cards in exactly this order, after those above. */
  load: z.array(LoadEntry).max(LOAD_MAX).optional(),
  /** name or name@version. Absent = the one that the target's profile names, else the built-in one. */
  recipe: RecipeName.optional(),
  /** For the recipe's own rules. */
  arguments: RecipeArguments.optional(),
  /** Above it the hand-over is refused, never cut. */
  context_tokens_max: z.int("give a whole number of tokens above 0").min(1).max(1_000_000_000).optional(),
  /** The bundle that the receiver reads before its task: one that exists, or one to build now. */
  context_pack: ContextPackRequest.optional(),
};

export const delegated = {
  target_strategy: TargetStrategyInput,
  /** new: a profile's name. reuse, clone: an agent's id. */
  target_ref: z.string().trim().min(1),
  instruction: InstructionInput,
  ...handed,
};

// The shape of a recipe, and the profile it is for: the first checks of a hand-over, all pure.
import { KernelError } from "@/server/contract/errors";
import { Handover } from "@/server/contract/pack";
import { shapeFault } from "@/server/contract/shape-fault";
import { refuseBadText } from "@/server/contract/text";

/** bad_request names the place in the recipe. A missing recipe is refused too: it is always a mistake. */
export function parseHandover(handover: unknown): Handover {
  if (handover === null || handover === undefined)
    throw new KernelError("bad_request", "handover is missing; give at least target_profile_config.profile_name");
  const parsed = Handover.safeParse(handover);
  if (parsed.success) {
    refuseBadText(parsed.data, "handover");
    return parsed.data;
  }
  const { path, message } = shapeFault(parsed.error, "handover");
  throw new KernelError("bad_request", `${path}: ${message}`, { path });
}

/** The name in the arguments overrides the recipe's. */
export function profileNameOf(args: Record<string, unknown>, handover: Handover): string {
  const given = args.profile_name;
  if (given !== undefined && given !== null && typeof given !== "string")
    throw new KernelError("bad_request", "arguments.profile_name must be the name of a profile");
  const name = given?.trim() || handover.target_profile_config?.profile_name.trim();
  if (!name)
    throw new KernelError(
      "bad_request",
      "profile_name is missing; give it in arguments or in handover.target_profile_config",
    );
  return name;
}

// What an action asked for, as a digest: whoever sends an action_id again with another request once got the answer to the first,
// and took it for what they had asked for.
import { canonicalJson } from "@/server/contract/canonical-json";
import type { LaunchInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { refuseDeep, sha256 } from "../cardbox/canonical-json";

export type Action = Pick<LaunchInput, "tool" | "args" | "user" | "into" | "origin" | "limits" | "action_id">;

/** Null = it has no action_id, so that nobody can ask for it again. */
export function actionHash({ tool, args, user, into, origin, limits, action_id }: Action): string | null {
  if (action_id === undefined) return null;
  refuseDeep(args, "args");
  return sha256(canonicalJson({ tool, args, user, into, origin, limits }));
}

/** `known`: of the launch that has this action_id; null = it was made before digests were kept. */
export function refuseOther(action: Action, known: string | null): void {
  if (known === null || known === actionHash(action)) return;
  throw new KernelError(
    "conflict",
    `action_id: ${action.action_id} was used for another launch. Send the same request again, or choose a new action_id`,
    { path: "action_id" },
  );
}

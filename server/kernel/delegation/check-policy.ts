// Who may delegate to whom: the policy in the caller's profile. Missing or malformed = nobody (docs/design/kernel.md 6).
import { KernelError } from "@/server/contract/errors";
import { DelegationPolicy, type ProfileBody } from "@/server/contract/profile";

export type PolicyTarget = { name: string; tags: string[] };

/** auth_failed names the caller, the target and what would have to change. */
export function checkPolicy(caller: { name: string; body: ProfileBody }, target: PolicyTarget): void {
  const refused = policyRefusal(caller.body, target);
  if (!refused) return;
  const says =
    refused.by === "policy"
      ? "may not delegate: its profile has no valid delegation_policy {target_tags, target_profiles}"
      : refused.by === "profiles"
        ? `may not delegate to ${target.name}: its delegation_policy.target_profiles allows ${refused.allows}`
        : `may not delegate to ${target.name}: it has none of the tags ${refused.allows}`;
  throw new KernelError("auth_failed", `${caller.name} ${says}`);
}

/** What a policy refuses by, and what it allows; null = it may. */
export function policyRefusal(
  body: ProfileBody,
  target: PolicyTarget,
): { by: "policy" | "profiles" | "tags"; allows: string } | null {
  const parsed = DelegationPolicy.safeParse(body.delegation_policy);
  if (!parsed.success) return { by: "policy", allows: "nobody" };
  const { target_profiles, target_tags } = parsed.data;
  const names = target_profiles?.map((name) => name.trim());
  if (names && !names.includes(target.name)) return { by: "profiles", allows: names.join(", ") || "nobody" };
  if (target_tags.length > 0 && !target_tags.some((tag) => target.tags.includes(tag)))
    return { by: "tags", allows: target_tags.join(", ") };
  return null;
}

// What is said of a profile: whom it may call, which of a list fit the words. Pure.
import { DelegationPolicy, type ProfileLine } from "@/server/contract/profile";

/** Every word must be found somewhere in what the row shows. */
export function filterProfiles(profiles: readonly ProfileLine[], query: string): readonly ProfileLine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return profiles;
  return profiles.filter((profile) => {
    const { name, worker_target, tags, description, provider, model } = profile;
    const text = [name, worker_target, ...tags, description ?? "", provider ?? "", model ?? ""]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** As the kernel reads it: missing or malformed means nobody; with names and tags, a target needs both. */
export function policyWords(policy: unknown): string {
  if (policy === undefined || policy === null) return "Cannot delegate: the profile has no delegation_policy.";
  const parsed = DelegationPolicy.safeParse(policy);
  if (!parsed.success)
    return "Cannot delegate: delegation_policy is malformed. It must be {target_tags: [...], target_profiles: [...]}.";
  const { target_profiles, target_tags } = parsed.data;
  const names = target_profiles?.map((name) => name.trim());
  if (names?.length === 0) return "Cannot delegate: target_profiles is empty.";
  const tags = target_tags.length === 0 ? "" : listed(target_tags, "or");
  if (names === undefined)
    return tags === "" ? "Can delegate to every profile." : `Can delegate to every profile tagged ${tags}.`;
  return `Can delegate to ${listed(names, "and")}${tags === "" ? "" : `, as long as ${names.length === 1 ? "it is" : "they are"} tagged ${tags}`}.`;
}

export function modelWords({ provider, model }: Pick<ProfileLine, "provider" | "model">): string {
  return [provider, model].filter(Boolean).join(" / ");
}

function listed(words: readonly string[], joint: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

/** As a worker reads it: null is every tool, a missing list is none beyond the built-in ones. */
export function toolWords(allowed: readonly string[] | null | undefined): string {
  if (allowed === null) return "all of them";
  return allowed === undefined || allowed.length === 0 ? "none named" : allowed.join(", ");
}

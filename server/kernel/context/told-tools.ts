// The tools that a receiver's system prompt will name, for a dry run: names alone, since what carries them out stands on
// higher storeys. Tools of MCP servers are not among them: nobody asks those before a turn runs.
import type { ProfileBody } from "@/server/contract/profile";
import { internalTools, universalTools } from "@/server/contract/tool";

/** `registered` = names of the project's own. */
export function toldTools(
  profile: ProfileBody,
  registered: readonly string[],
): { declared: string[]; universal: string[] } {
  const denied = new Set(profile.denied_tools);
  const named = new Set([...(profile.allowed_tools ?? []), ...(profile.allowed_internal_tools ?? [])]);
  const universal = universalTools.filter((name) => !denied.has(name));
  const own = internalTools.filter((name) => named.has(name) && !isUniversal(name));
  const others = registered.filter((name) => profile.allowed_tools === null || named.has(name));
  return { universal, declared: [...own, ...others].filter((name) => !denied.has(name)) };
}

const isUniversal = (name: string): boolean => (universalTools as readonly string[]).includes(name);

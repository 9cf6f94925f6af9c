// What a turn may call: the kernel's own tools, and those that the project registers and somebody else carries out.
import type { CallCode } from "@/server/contract/failure-codes";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";
import type { ProfileBody } from "@/server/contract/profile";
import { internalTools, type Tool } from "@/server/contract/tool";
import type { OfferedTool } from "../context/render-request";
import { askHuman } from "./ask-human";
import { buildContextPack } from "./build-context-pack";
import { delegateAsync } from "./delegate-async";
import { envDataTools } from "./env-data";
import { askExpert, forkJoin } from "./fork-join";
import { type InlineTool, rejected, type ToolAnswer } from "./inline-tool";
import { launchPlan } from "./launch-plan";
import { launchPrincipal } from "./launch-principal";
import { listCapabilities } from "./list-capabilities";
import { mergeContextPacks } from "./merge-context-packs";
import { provisionAgent } from "./provision-agent";
import { submitResult } from "./submit-result";
import { think } from "./think";

const inlineTools: InlineTool[] = [
  think,
  listCapabilities,
  ...envDataTools,
  delegateAsync,
  forkJoin,
  askExpert,
  launchPlan,
  buildContextPack,
  mergeContextPacks,
  askHuman,
  launchPrincipal,
  provisionAgent,
  submitResult,
];

/**
 * Offered to the model: what may be called and can be carried out. `registered` = the project's own, `guests` = of servers that
 * it names. What every agent has comes first, then what the profile lists, in its order: authors put first what matters most.
 */
export function allowedTools(
  profile: ProfileBody,
  registered: readonly OfferedTool[],
  guests: readonly OfferedTool[] = [],
): OfferedTool[] {
  const own = inlineTools.filter((tool) => isAllowed(profile, tool.tool_name, true));
  // The project's own tool wins, here as when it is called.
  const brought = guests.filter((guest) => !registered.some((tool) => tool.tool_name === guest.tool_name));
  const others = [...registered, ...brought].filter((tool) => isAllowed(profile, tool.tool_name, false));
  const place = placesIn(profile);
  return [...own, ...others]
    .toSorted((a, b) => place(a.tool_name) - place(b.tool_name))
    .map(({ tool_name, description, parameters }) => ({ tool_name, description, parameters }));
}

/** Where a name stands in the profile. Tools that it does not name (all of a project's, of a server's) keep their own order. */
function placesIn({ allowed_tools, allowed_internal_tools }: ProfileBody): (tool_name: string) => number {
  const names = [...(allowed_tools ?? []), ...(allowed_internal_tools ?? [])];
  return (tool_name) => {
    if (isUniversal(tool_name)) return -2;
    const at = names.indexOf(tool_name);
    return at >= 0 ? at : names.findIndex((name) => isAllOf(name, tool_name));
  };
}

/**
 * The tool behind a call, or why it is not carried out. Asked when a call is executed, and not only when tools are
 * offered: a model may call what it was never shown (K15). `registered` = the tool of this name that is not ours.
 */
export function findTool(
  profile: ProfileBody,
  tool_name: string,
  registered: Tool | null,
): { own: InlineTool } | { external: Tool } | { refusal: ToolAnswer } {
  const isInternal = isOurs(tool_name);
  if (!isInternal && registered === null)
    return refuse("not_found", `tool ${tool_name} not found; ${mayCall(profile)}`);
  if (!isAllowed(profile, tool_name, isInternal))
    return refuse(
      "auth_failed",
      `profile ${profile.name} may not call ${tool_name}: it is not in its allowed_tools; ${mayCall(profile)}`,
    );
  if (registered !== null && !isInternal) return { external: registered };
  const own = inlineTools.find((one) => one.tool_name === tool_name);
  return own ? { own } : refuse("not_available", `${tool_name} is not available in this version; continue without it`);
}

// Said here, and not only where to ask: a model that guessed a name guesses the next one otherwise.
function mayCall(profile: ProfileBody): string {
  const declared = [...(profile.allowed_tools ?? []), ...(profile.allowed_internal_tools ?? [])];
  const own = declared.filter((name) => !profile.denied_tools?.includes(name)).join(", ");
  const all = profile.allowed_tools === null ? `every tool of the project${own && `, ${own}`}` : own || "(none)";
  return `declared are ${all}; call list_capabilities to see them and those that every agent has`;
}

const refuse = (code: CallCode, message: string) => ({ refusal: rejected(code, message) });

export const isOurs = (tool_name: string): boolean => (internalTools as readonly string[]).includes(tool_name);

/** Tools as the system prompt lists them. */
export const toolNames = (allowed: readonly OfferedTool[]): { declared: string[]; universal: string[] } => {
  const names = allowed.map((tool) => tool.tool_name);
  return { universal: names.filter(isUniversal), declared: names.filter((name) => !isUniversal(name)) };
};

/** `server__*` = every tool of an MCP server. */
const isAllOf = (name: string, tool_name: string): boolean =>
  name.endsWith(`${MCP_SEPARATOR}*`) && tool_name.startsWith(name.slice(0, -1));

// Null allows every tool that the project registers; what Switchyard brings itself is always named.
function isAllowed(profile: ProfileBody, tool_name: string, isInternal: boolean): boolean {
  if (profile.denied_tools?.includes(tool_name)) return false;
  if (isUniversal(tool_name)) return true;
  if (!isInternal && profile.allowed_tools === null) return true;
  const names = [...(profile.allowed_tools ?? []), ...(profile.allowed_internal_tools ?? [])];
  return names.includes(tool_name) || (!isInternal && names.some((name) => isAllOf(name, tool_name)));
}

const isUniversal = (tool_name: string): boolean =>
  inlineTools.some((tool) => tool.tool_name === tool_name && tool.is_universal);

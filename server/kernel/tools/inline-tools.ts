// What a turn may call: the kernel's own tools, and those that the project registers and somebody else carries out.
import type { ProfileBody } from "@/server/contract/profile";
import { internalTools, type Tool } from "@/server/contract/tool";
import type { OfferedTool } from "../provenance/next-request";
import { delegateAsync } from "./delegate-async";
import { askExpert, forkJoin } from "./fork-join";
import { type InlineTool, rejected, type ToolAnswer } from "./inline-tool";
import { launchPrincipal } from "./launch-principal";
import { listCapabilities } from "./list-capabilities";
import { provisionAgent } from "./provision-agent";
import { submitResult } from "./submit-result";
import { think } from "./think";

const inlineTools: InlineTool[] = [
  think,
  listCapabilities,
  delegateAsync,
  forkJoin,
  askExpert,
  launchPrincipal,
  provisionAgent,
  submitResult,
];

/** Offered to the model: what may be called and can be carried out. `registered` = the project's own. */
export function allowedTools(profile: ProfileBody, registered: readonly Tool[]): OfferedTool[] {
  const own = inlineTools.filter((tool) => isAllowed(profile, tool.tool_name, true));
  const others = registered.filter((tool) => isAllowed(profile, tool.tool_name, false));
  return [...own, ...others].map(({ tool_name, description, parameters }) => ({ tool_name, description, parameters }));
}

/**
 * The tool behind a call, or why it is not carried out. Asked when a call is executed, and not only when tools are
 * offered: a model may call what it was never shown (K15). `registered` = the project's tool of this name.
 */
export function findTool(
  profile: ProfileBody,
  tool_name: string,
  registered: Tool | null,
): { own: InlineTool } | { external: Tool } | { refusal: ToolAnswer } {
  const isInternal = isOurs(tool_name);
  if (!isInternal && registered === null)
    return refuse("not_found", `there is no tool ${tool_name}; call list_capabilities to see what you may call`);
  if (!isAllowed(profile, tool_name, isInternal))
    return refuse(
      "auth_failed",
      `profile ${profile.name} may not call ${tool_name}: it is not in its allowed_tools; call list_capabilities`,
    );
  if (registered !== null && !isInternal) return { external: registered };
  const own = inlineTools.find((one) => one.tool_name === tool_name);
  return own ? { own } : refuse("not_available", `${tool_name} comes with a later version; go on without it`);
}

const refuse = (code: string, message: string) => ({ refusal: rejected(code, message) });

export const isOurs = (tool_name: string): boolean => (internalTools as readonly string[]).includes(tool_name);

/** Tools as the system prompt lists them. */
export const toolNames = (allowed: readonly OfferedTool[]): { declared: string[]; universal: string[] } => {
  const universal = inlineTools.filter((tool) => tool.is_universal).map((tool) => tool.tool_name as string);
  return { universal, declared: allowed.map((tool) => tool.tool_name).filter((name) => !universal.includes(name)) };
};

// Null allows every tool that the project registers; what Switchyard brings itself is always named.
function isAllowed(profile: ProfileBody, tool_name: string, isInternal: boolean): boolean {
  if (inlineTools.some((tool) => tool.tool_name === tool_name && tool.is_universal)) return true;
  if (!isInternal && profile.allowed_tools === null) return true;
  return [...(profile.allowed_tools ?? []), ...(profile.allowed_internal_tools ?? [])].includes(tool_name);
}

// The tools that this version carries out, and what a turn may call of them.
import type { ProfileBody } from "@/server/contract/profile";
import { internalTools } from "@/server/contract/tool";
import type { ModelTool } from "../models/model";
import { delegateAsync } from "./delegate-async";
import { type InlineTool, rejected, type ToolOutcome } from "./inline-tool";
import { launchPrincipal } from "./launch-principal";
import { listCapabilities } from "./list-capabilities";
import { provisionAgent } from "./provision-agent";
import { submitResult } from "./submit-result";
import { think } from "./think";

const inlineTools: InlineTool[] = [
  think,
  listCapabilities,
  delegateAsync,
  launchPrincipal,
  provisionAgent,
  submitResult,
];

/** Offered to the model: what may be called and can be carried out. */
export function allowedTools(profile: ProfileBody): ModelTool[] {
  return inlineTools
    .filter((tool) => isAllowed(profile, tool.tool_name, true))
    .map(({ tool_name, description, parameters }) => ({ tool_name, description, parameters }));
}

/**
 * The tool behind a call, or why it is not carried out. Asked when a call is executed, and not only when tools are
 * offered: a model may call what it was never shown (K15). `isRegistered` = the project has a tool of this name.
 */
export function findTool(profile: ProfileBody, tool_name: string, isRegistered: boolean): InlineTool | ToolOutcome {
  const isInternal = isOurs(tool_name);
  if (!isInternal && !isRegistered)
    return rejected("not_found", `there is no tool ${tool_name}; call list_capabilities to see what you may call`);
  if (!isAllowed(profile, tool_name, isInternal))
    return rejected(
      "auth_failed",
      `profile ${profile.name} may not call ${tool_name}: it is not in its allowed_tools; call list_capabilities`,
    );
  const tool = inlineTools.find((one) => one.tool_name === tool_name);
  return tool ?? rejected("not_available", `${tool_name} comes with a later version; go on without it`);
}

export const isOurs = (tool_name: string): boolean => (internalTools as readonly string[]).includes(tool_name);

/** Tools as the system prompt lists them. */
export const toolNames = (profile: ProfileBody): { declared: string[]; universal: string[] } => {
  const universal = inlineTools.filter((tool) => tool.is_universal).map((tool) => tool.tool_name as string);
  const allowed = allowedTools(profile).map((tool) => tool.tool_name);
  return { universal, declared: allowed.filter((name) => !universal.includes(name)) };
};

// Null allows every tool that the project registers; what Switchyard brings itself is always named.
function isAllowed(profile: ProfileBody, tool_name: string, isInternal: boolean): boolean {
  if (inlineTools.some((tool) => tool.tool_name === tool_name && tool.is_universal)) return true;
  if (!isInternal && profile.allowed_tools === null) return true;
  return [...(profile.allowed_tools ?? []), ...(profile.allowed_internal_tools ?? [])].includes(tool_name);
}

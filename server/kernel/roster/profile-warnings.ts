// What a profile asks for and can't have in this project, said when it is uploaded and whenever it is read: a warning goes when
// the tool or the profile it names is added. Nothing is refused for it: what is missing may come later.
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";
import { readModelSettings } from "@/server/contract/model-settings";
import { modelNamed } from "@/server/contract/models";
import { DelegationPolicy, namesModel, type ProfileBody } from "@/server/contract/profile";
import { BUILT_IN_RECIPE, recipeRefOf } from "@/server/contract/recipe-name";
import { internalTools, universalTools } from "@/server/contract/tool";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { boundWarnings } from "./bound-warnings";

const THERE = `
  SELECT coalesce((SELECT array_agg(t.tool_name) FROM resource.tools t WHERE t.project_id = $1), '{}') AS tools,
    coalesce((SELECT array_agg(p.name) FROM resource.profiles p WHERE p.project_id = $1), '{}') AS profiles,
    coalesce((SELECT array_agg(DISTINCT tag) FROM resource.profiles p, unnest(p.tags) AS tag WHERE p.project_id = $1), '{}') AS tags,
    coalesce((SELECT array_agg(r.name) FROM resource.recipes r WHERE r.project_id = $1), '{}') AS recipes,
    coalesce((SELECT array_agg(w.name) FROM resource.workspaces w WHERE w.project_id = $1), '{}') AS workspaces`;

export type There = { tools: string[]; profiles: string[]; tags: string[]; recipes: string[]; workspaces: string[] };

export async function profileWarnings(
  kernel: Kernel,
  { project_id, body }: { project_id: string; body: ProfileBody },
): Promise<string[]> {
  const [there] = await read<There>(kernel, "profile_warnings", THERE, [project_id]);
  return warningsOf(body, there ?? { tools: [], profiles: [], tags: [], recipes: [], workspaces: [] });
}

/** Pure; exported for its test. */
export function warningsOf(body: ProfileBody, there: There): string[] {
  return boundWarnings([
    ...ofModel(body),
    ...ofTools(body, there),
    ...ofEnd(body),
    ...ofTargets(body, there),
    ...ofRecipe(body, there),
    ...ofWorkspaces(body, there),
  ]);
}

function ofModel({ llm_config, worker_target }: ProfileBody): string[] {
  if (!namesModel(llm_config))
    return [
      `llm_config names no model, so Switchyard's own worker takes none of its turns. Name a model, or run a worker of your own for ${worker_target}`,
    ];
  if (llm_config.provider === "script") return [];
  const named = modelNamed(llm_config);
  const settings = readModelSettings(llm_config);
  return [
    ...("fault" in named ? [`llm_config.${named.fault.field}: ${named.fault.message}`] : []),
    ...(settings.error?.issues ?? []).map((issue) => settingWarning(llm_config, issue.path.join("."), issue.message)),
  ];
}

/** The turn would fail with the same words when its model is asked. */
function settingWarning(llm_config: ProfileBody["llm_config"], field: string, message: string): string {
  const value = llm_config[field];
  const given = typeof value === "string" ? `${value.slice(0, 40)} is not accepted; ` : "";
  return `llm_config.${field}: ${given}${message}`;
}

const ours: readonly string[] = internalTools;
const universal: readonly string[] = universalTools;

function ofTools(body: ProfileBody, there: There): string[] {
  const servers = (body.mcp_servers ?? []).map(({ name }) => `${name}${MCP_SEPARATOR}`);
  const isThere = (name: string) =>
    ours.includes(name) || there.tools.includes(name) || servers.some((prefix) => name.startsWith(prefix));
  const lists = ["allowed_tools", "allowed_internal_tools", "denied_tools", "requires_approval"] as const;
  return lists.flatMap((list) =>
    (body[list] ?? [])
      .filter((name) => !isThere(name))
      .map(
        (name) =>
          `${list}: ${name} is not a tool of this project. Add the tool or an MCP server that has it, or remove the name`,
      ),
  );
}

/** An agent that may not call what it must end with is told to call it until its steps are used up. */
function ofEnd(body: ProfileBody): string[] {
  const names = [...(body.allowed_tools ?? []), ...(body.allowed_internal_tools ?? [])];
  const mayCall = (name: string) =>
    !body.denied_tools?.includes(name) &&
    (universal.includes(name) ||
      names.includes(name) ||
      (!ours.includes(name) &&
        (body.allowed_tools === null ||
          names.some((one) => one.endsWith(`${MCP_SEPARATOR}*`) && name.startsWith(one.slice(0, -1))))));
  if (body.must_end_with.length === 0 || body.must_end_with.some(mayCall)) return [];
  const list = body.must_end_with.some((name) => ours.includes(name)) ? "allowed_internal_tools" : "allowed_tools";
  return [
    `must_end_with: the agent may not call ${body.must_end_with.join(" or ")}, so it can't end its turn. Add it to ${list}`,
  ];
}

function ofTargets({ name: own, tags, delegation_policy }: ProfileBody, there: There): string[] {
  const policy = DelegationPolicy.safeParse(delegation_policy ?? {});
  if (!policy.success) return [];
  const { target_profiles, target_tags } = policy.data;
  const missing = (target_profiles ?? []).filter(
    (name) => name.trim() !== own && !there.profiles.includes(name.trim()),
  );
  const hasTag = target_tags.length === 0 || target_tags.some((tag) => tags.includes(tag) || there.tags.includes(tag));
  return [
    ...missing.map(
      (name) =>
        `delegation_policy.target_profiles: ${name} is not a profile of this project. Upload it, or remove the name`,
    ),
    ...(hasTag
      ? []
      : [`delegation_policy.target_tags: no profile of this project has the tag ${target_tags.join(" or ")}`]),
  ];
}

function ofRecipe({ handover_recipe }: ProfileBody, there: There): string[] {
  if (handover_recipe === undefined) return [];
  const { name } = recipeRefOf(handover_recipe);
  if (name === BUILT_IN_RECIPE || there.recipes.includes(name)) return [];
  return [
    `handover_recipe: ${name} is not a recipe of this project, so delegations to this profile are refused. Save it, or remove the name`,
  ];
}

function ofWorkspaces({ workspaces = [] }: ProfileBody, there: There): string[] {
  return workspaces
    .filter((name) => !there.workspaces.includes(name))
    .map((name) => `workspaces: ${name} is not a workspace of this project. Register it, or remove the name`);
}

// Makes sure an agent is there. Identity is immutable: profile, owner, worker target and tags of an existing agent are
// compared, never changed; name and metadata may.
import { ProvisionInput, type ProvisionResult } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import type { Profile } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { AGENT_COLUMNS, type AgentRow, agentFrame } from "../roster/agent-row";
import { findProfile } from "../roster/find-profile";
import { insertAgents } from "../roster/insert-agents";
import { refusePersonId } from "../roster/refuse-person-id";
import { type Fenced, isFenced } from "../turns/fenced";
import { type Unit, withUnit } from "../unit";
import { type Caller, type CallerRef, lockCaller } from "./caller";
import { checkPolicy } from "./check-policy";
import { parseArgs } from "./parse-args";

/** An agent's own call. A person's goes through launch. */
export async function provisionAgent(
  kernel: Kernel,
  call: { project_id: string; caller: CallerRef; args: unknown },
): Promise<ProvisionResult | Fenced> {
  const args = parseArgs(ProvisionInput, call.args);
  return withUnit(kernel, async (unit) => {
    const caller = await lockCaller(unit, call.project_id, call.caller, "provision_agent");
    return isFenced(caller) ? caller : provisionIn(unit, { project_id: call.project_id, caller, args });
  });
}

type Provision = { project_id: string; caller: Caller; args: ProvisionInput };

export async function provisionIn(unit: Unit, input: Provision): Promise<ProvisionResult> {
  const { project_id, caller, args } = input;
  refusePersonId(args.agent_id);
  const { agent_id, derived_from = null, owner_agent_id = null } = args;
  const [found, source, owner] = await readRoster(unit, project_id, [agent_id, derived_from, owner_agent_id]);
  if (args.action === "derive" && !source)
    throw new KernelError(
      args.derived_from ? "not_found" : "bad_request",
      args.derived_from
        ? `derived_from: agent ${args.derived_from} not found in project ${project_id}`
        : "derived_from is missing; name the agent to derive from",
    );
  const name = args.profile_name ?? (args.action === "derive" ? source?.profile_name : found?.profile_name);
  if (name === undefined) throw new KernelError("bad_request", "profile_name is missing; a new agent needs a profile");
  const profile = await findProfile(unit, { project_id, name });
  if (!profile) throw new KernelError("not_found", `profile_name: profile ${name} not found in project ${project_id}`);
  if (caller.body) checkPolicy({ name: caller.turn.profile_name, body: caller.body }, profile);
  if (found) return updateIdentity(unit, input, found, profile);
  if (owner_agent_id !== null && !owner)
    throw new KernelError("not_found", `owner_agent_id: agent ${owner_agent_id} not found in project ${project_id}`);
  await insertAgents(unit, {
    project_id,
    agents: [
      {
        agent_id: args.agent_id,
        profile_box_id: source?.profile_box_id ?? profile.profile_box_id,
        profile_name: profile.name,
        worker_target: args.worker_target ?? profile.worker_target,
        tags: args.tags ?? profile.tags,
        display_name: args.display_name ?? profile.name,
        owner_agent_id: source?.agent_id ?? args.owner_agent_id ?? caller.turn.agent_id,
        derived_from: source?.agent_id,
        metadata: args.metadata,
        action: source ? "derive" : "provision",
        source_agent_id: caller.turn.agent_id,
        trace_id: caller.turn.trace_id,
        parent_step_id: caller.step_id,
      },
    ],
  });
  return { status: "accepted", agent_id: args.agent_id, roster_updated: true };
}

async function readRoster(unit: Unit, project_id: string, ids: (string | null)[]): Promise<(AgentRow | undefined)[]> {
  const rows = await unit.query<AgentRow>(
    "roster_read",
    `SELECT ${columnsOf(AGENT_COLUMNS, "project_agents")} FROM resource.project_agents WHERE project_id = $1 AND agent_id = ANY ($2::text[]) ORDER BY agent_id FOR UPDATE`,
    [project_id, ids.filter((id) => id !== null)],
  );
  return ids.map((id) => rows.find((row) => row.agent_id === id));
}

const UPDATE = `
  UPDATE resource.project_agents SET display_name = coalesce($3, display_name), metadata = metadata || $4::jsonb, rev = rev + 1
  WHERE project_id = $1 AND agent_id = $2 RETURNING ${columnsOf(AGENT_COLUMNS, "project_agents")}`;
const EDGE = `
  INSERT INTO state.identity_extra (project_id, edge_id, action, source_agent_id, target_agent_id, trace_id, parent_step_id)
  VALUES ($1, $2, 'update', $3, $4, lower($5), $6)`;

async function updateIdentity(
  unit: Unit,
  input: Provision,
  found: AgentRow,
  profile: Profile,
): Promise<ProvisionResult> {
  const { project_id, caller, args } = input;
  refuseMutation(found, args, profile);
  const isNew = args.display_name !== undefined && args.display_name !== found.display_name;
  if (!isNew && args.metadata === undefined)
    return { status: "accepted", agent_id: found.agent_id, roster_updated: false };
  const [row] = await unit.query<AgentRow>("roster_update", UPDATE, [
    project_id,
    found.agent_id,
    args.display_name ?? null,
    JSON.stringify(args.metadata ?? {}),
  ]);
  await unit.query("identity_update_edge", EDGE, [
    project_id,
    unit.kernel.newId("edge_"),
    caller.turn.agent_id,
    found.agent_id,
    caller.turn.trace_id,
    caller.step_id ?? null,
  ]);
  if (row) unit.frame(project_id, agentFrame(row));
  return { status: "accepted", agent_id: found.agent_id, roster_updated: true };
}

const fixedCodes = {
  profile: "existing_agent_profile_mutation_forbidden",
  owner: "existing_agent_owner_mutation_forbidden",
  worker_target: "existing_agent_worker_target_mutation_forbidden",
  tags: "existing_agent_tags_mutation_forbidden",
} as const;

function refuseMutation(found: AgentRow, args: ProvisionInput, profile: Profile): void {
  const fixed = (what: keyof typeof fixedCodes) =>
    new KernelError(
      fixedCodes[what],
      `agent ${found.agent_id} exists and its ${what} never changes; provision another agent_id`,
    );
  if (args.profile_name !== undefined && profile.profile_box_id !== found.profile_box_id) throw fixed("profile");
  if (args.owner_agent_id !== undefined && args.owner_agent_id !== found.owner_agent_id) throw fixed("owner");
  if (args.worker_target !== undefined && args.worker_target !== found.worker_target) throw fixed("worker_target");
  if (args.tags !== undefined && JSON.stringify(args.tags) !== JSON.stringify(found.tags)) throw fixed("tags");
  if (args.action === "derive" && found.derived_from !== (args.derived_from ?? null))
    throw new KernelError(
      "derived_agent_conflict",
      `agent ${found.agent_id} is derived from ${found.derived_from ?? "no agent"}; provision another agent_id`,
    );
}

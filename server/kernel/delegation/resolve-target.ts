// Which agent a target names, before anything is written: new = a profile, reuse and clone = an agent of the roster.
import type { DelegateInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { slug } from "@/server/contract/ids";
import type { Profile, ProfileBody } from "@/server/contract/profile";
import type { TargetStrategy } from "@/server/contract/turn";
import { type Reader, read } from "../cardbox/reader";
import type { AgentRow } from "../roster/agent-row";
import { findProfile } from "../roster/find-profile";
import { readBodies } from "../roster/read-bodies";
import { HUMAN_TARGET } from "../turns/turn-row";

export type Target = {
  strategy: TargetStrategy;
  profile: Profile;
  profile_box_id: string;
  body: ProfileBody;
  worker_target: string;
  tags: string[];
  /** reuse: the agent itself. clone: the source. */
  agent?: AgentRow & { output_box_id: string | null; queue: number };
  /** Boxes the kernel itself adds to the hand-over. */
  kernel_box_ids: string[];
};

// "Current output box" = the head's while the agent is active, else the last-output pointer.
const AGENT = `
  SELECT a.*, CASE WHEN h.status = 'idle' THEN p.last_output_box_id ELSE h.output_box_id END AS output_box_id,
    ((h.status <> 'idle')::int + (SELECT count(*)::int FROM state.agent_inbox i
      WHERE i.project_id = a.project_id AND i.agent_id = a.agent_id AND i.status = 'queued')) AS queue
  FROM resource.project_agents a
  JOIN state.agent_state_head h USING (project_id, agent_id)
  LEFT JOIN state.agent_state_pointers p USING (project_id, agent_id)
  WHERE a.project_id = $1 AND a.agent_id = $2`;

export async function resolveTarget(
  reader: Reader,
  input: { project_id: string; args: Pick<DelegateInput, "target_strategy" | "target_ref"> },
): Promise<Target> {
  const { project_id, args } = input;
  const strategy = args.target_strategy;
  if (strategy === "new") {
    const profile = await requireProfile(reader, project_id, args.target_ref);
    const body = await bodyOf(reader, project_id, profile.profile_box_id);
    const { worker_target, tags, profile_box_id } = profile;
    return { strategy, profile, profile_box_id, body, worker_target, tags, kernel_box_ids: [] };
  }
  const [agent] = await read<NonNullable<Target["agent"]>>(reader, "delegate_agent", AGENT, [
    project_id,
    args.target_ref,
  ]);
  if (!agent || agent.worker_target === HUMAN_TARGET)
    throw new KernelError("not_found", `target_ref: agent ${args.target_ref} is not in project ${project_id}`);
  const profile = await requireProfile(reader, project_id, agent.profile_name);
  const body = await bodyOf(reader, project_id, agent.profile_box_id);
  if (strategy === "clone" && agent.output_box_id === null)
    throw new KernelError(
      "bad_request",
      `target_ref: agent ${agent.agent_id} has no output box yet, so there is nothing to clone; use "new" with profile ${profile.name}`,
    );
  return {
    strategy,
    profile,
    profile_box_id: agent.profile_box_id,
    body,
    worker_target: agent.worker_target,
    tags: agent.tags,
    agent,
    kernel_box_ids: strategy === "clone" && agent.output_box_id !== null ? [agent.output_box_id] : [],
  };
}

/** `<slug of the profile's name>_<uuid7>` */
export const newAgentId = (profileName: string, id: string): string => `${slug(profileName)}_${id}`;

async function requireProfile(reader: Reader, project_id: string, name: string): Promise<Profile> {
  const profile = await findProfile(reader, { project_id, name });
  if (!profile) throw new KernelError("not_found", `profile ${name} is not registered in project ${project_id}`);
  return profile;
}

async function bodyOf(reader: Reader, project_id: string, profile_box_id: string): Promise<ProfileBody> {
  const bodies = await readBodies(reader, { project_id, profile_box_ids: [profile_box_id] });
  const body = bodies.get(profile_box_id);
  if (!body) throw new Error("readBodies answered without the box it was asked for");
  return body;
}

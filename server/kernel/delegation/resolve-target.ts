// Which agent a target names, before anything is written: new = a profile, reuse and clone = an agent in the roster.
import type { DelegateInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { Profile, ProfileBody } from "@/server/contract/profile";
import type { TargetStrategy } from "@/server/contract/turn";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { AGENT_COLUMNS, type AgentRow } from "../roster/agent-row";
import { findProfiles } from "../roster/find-profile";
import { findBodies } from "../roster/read-bodies";

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

// "Current output box" = its turn's while the agent is active, else that of its last turn.
const AGENTS = `
  SELECT ${columnsOf(AGENT_COLUMNS, "a")}, CASE WHEN t.agent_turn_id IS NULL THEN a.last_output_box_id ELSE t.output_box_id END AS output_box_id,
    ((t.agent_turn_id IS NOT NULL)::int + (SELECT count(*)::int FROM state.due d
      WHERE d.project_id = a.project_id AND d.queued_for = a.agent_id)) AS queue
  FROM resource.project_agents a
  LEFT JOIN LATERAL (SELECT t.agent_turn_id, t.output_box_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = a.active_turn OFFSET 0) t ON true
  WHERE a.project_id = $1 AND a.agent_id = ANY ($2::text[])`;

export async function resolveTarget(reader: Reader, input: { project_id: string; args: TargetRef }): Promise<Target> {
  const [target] = await resolveTargets(reader, { project_id: input.project_id, refs: [input.args] });
  if (!target) throw new Error("one target was named and none came back");
  return target;
}

/** `profile_box_id`: a version of the profile; absent = the newest. Only for new agents: others keep the one they have. */
export type TargetRef = Pick<DelegateInput, "target_strategy" | "target_ref"> & { profile_box_id?: string };

type Asked = { project_id: string; refs: TargetRef[] };

/**
 * In input order, in a constant number of statements. If several targets are missing, the first is reported; `at` gives its
 * place.
 */
export async function resolveTargets(
  reader: Reader,
  { at = () => "", ...asked }: Asked & { at?: (i: number) => string },
): Promise<Target[]> {
  return namedTargets(await findTargets(reader, asked), { ...asked, at });
}

/** Throws for the first that is missing. */
export function namedTargets(
  found: readonly (Target | MissingTarget)[],
  { at, ...asked }: Asked & { at: (i: number) => string },
): Target[] {
  return found.map((target, i) => {
    if (!("missing" in target)) return target;
    const ref = asked.refs[i]?.target_ref;
    if (target.missing === "agent")
      throw new KernelError("not_found", `${at(i)}target_ref: agent ${ref} not found in project ${asked.project_id}`);
    if (target.missing === "profile")
      throw new KernelError(
        "not_found",
        `${at(i)}profile ${target.profile_name} not found in project ${asked.project_id}`,
      );
    if (target.missing === "version")
      throw new KernelError(
        "bad_request",
        `${at(i)}profile_box_id: box ${asked.refs[i]?.profile_box_id} is not a version of profile ${target.profile_name}. Leave it out for the newest`,
      );
    throw new KernelError(
      "bad_request",
      `${at(i)}target_ref: agent ${ref} has no output box yet, so there is nothing to clone; use "new" with profile ${target.profile_name}`,
    );
  });
}

/** What a target lacks: its agent, its profile, that version of it, or the output that would be cloned. */
export type MissingTarget = { missing: "agent" | "profile" | "version" | "output"; profile_name: string };

/** Each for itself. */
export async function findTargets(reader: Reader, { project_id, refs }: Asked): Promise<(Target | MissingTarget)[]> {
  const agents = await readAgents(reader, project_id, refs);
  const names = refs.map((ref) =>
    ref.target_strategy === "new" ? ref.target_ref : (agents.get(ref.target_ref)?.profile_name ?? ""),
  );
  const withBody = refs.flatMap((ref) =>
    ref.target_strategy === "new" && ref.profile_box_id === undefined ? ref.target_ref : [],
  );
  const profiles = await findProfiles(reader, { project_id, names, withBody });
  const drafts = refs.map((ref, i) =>
    draftOf(ref, agents.get(ref.target_ref), profiles[i]?.profile ?? null, names[i] ?? ""),
  );
  const newest = new Map(
    profiles.flatMap((found) => (found?.body ? [[found.profile.profile_box_id, found.body] as const] : [])),
  );
  const boxes = drafts.flatMap((draft) => ("missing" in draft ? [] : boxOf(draft)));
  const unread = [...new Set(boxes)].filter((box) => !newest.has(box));
  const others = unread.length === 0 ? [] : await findBodies(reader, { project_id, profile_box_ids: unread });
  const bodies = new Map([...newest, ...others]);
  return drafts.map((draft) => ("missing" in draft ? draft : targetOf(draft, bodies)));
}

type Draft = { strategy: TargetStrategy; profile: Profile; agent: Standing | undefined; pinned: string | undefined };

function draftOf(
  ref: TargetRef,
  agent: Standing | undefined,
  profile: Profile | null,
  profile_name: string,
): Draft | MissingTarget {
  if (ref.target_strategy !== "new" && (!agent || agent.is_human)) return { missing: "agent", profile_name };
  if (!profile) return { missing: "profile", profile_name };
  if (ref.target_strategy === "clone" && agent && agent.output_box_id === null)
    return { missing: "output", profile_name: profile.name };
  const isNew = ref.target_strategy === "new";
  return {
    strategy: ref.target_strategy,
    profile,
    agent: isNew ? undefined : agent,
    pinned: isNew ? ref.profile_box_id : undefined,
  };
}

const boxOf = ({ agent, profile, pinned }: Draft): string => agent?.profile_box_id ?? pinned ?? profile.profile_box_id;

function targetOf(draft: Draft, bodies: ReadonlyMap<string, ProfileBody>): Target | MissingTarget {
  const { strategy, profile, agent, pinned } = draft;
  const profile_box_id = boxOf(draft);
  const body = bodies.get(profile_box_id);
  // A box of another profile would run as something else than its name says.
  if (pinned !== undefined && body?.name.trim().toLowerCase() !== profile.name.toLowerCase())
    return { missing: "version", profile_name: profile.name };
  if (!body)
    throw new KernelError(
      "bad_request",
      `profile box ${profile_box_id} holds no sys.profile card; save the profile again`,
    );
  return {
    strategy,
    profile,
    profile_box_id,
    body,
    worker_target: agent?.worker_target ?? profile.worker_target,
    tags: agent?.tags ?? profile.tags,
    agent,
    kernel_box_ids: strategy === "clone" && agent && agent.output_box_id !== null ? [agent.output_box_id] : [],
  };
}

type Standing = NonNullable<Target["agent"]>;

async function readAgents(reader: Reader, project_id: string, refs: TargetRef[]): Promise<Map<string, Standing>> {
  const ids = refs.filter((ref) => ref.target_strategy !== "new").map((ref) => ref.target_ref);
  if (ids.length === 0) return new Map();
  const rows = await read<Standing>(reader, "delegate_agents", AGENTS, [project_id, [...new Set(ids)]]);
  return new Map(rows.map((row) => [row.agent_id, row]));
}

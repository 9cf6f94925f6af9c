// The last unit of an import: profiles, agents, turns, edges and the run, all or nothing.
import { KernelError } from "@/server/contract/errors";
import type { RunFrame } from "@/server/contract/frame";
import { insertAgents } from "@/server/kernel/roster/insert-agents";
import { insertProfiles } from "@/server/kernel/roster/insert-profiles";
import { refuseBeingDeleted } from "@/server/kernel/roster/refuse-being-deleted";
import { type RecordedTurn, recordTurns } from "@/server/kernel/turns/record-turns";
import { type Unit, withUnit } from "@/server/kernel/unit";
import type { ImportPlan, PlannedBox } from "./plan";
import { inSlices, type Slices } from "./slices";
import { weighTurn } from "./weigh";
import { holdProject, lockImport, type Store } from "./write-store";

const RECORDED = "SELECT 1 FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";
// One statement: between two, another import of the same file wrote the run and its agents, and they passed for those of others.
const KNOWN = `
  SELECT EXISTS (SELECT 1 FROM state.runs WHERE project_id = $1 AND root_turn_id = $2) AS is_recorded,
    (SELECT agent_id FROM resource.project_agents WHERE project_id = $1 AND agent_id = ANY($3) ORDER BY agent_id LIMIT 1) AS taken`;

type Known = { is_recorded: boolean; taken: string | null };

/** True if the run exists. not_found without the project; conflict if another agent has an agent's id. */
export async function isRecorded({ kernel, project_id, plan }: Omit<Store, "weights">): Promise<boolean> {
  return withUnit(
    kernel,
    async (unit) => {
      await holdProject(unit, project_id);
      const agentIds = plan.agents.map((agent) => agent.agent_id);
      const [found] = await unit.query<Known>("import_known", KNOWN, [project_id, plan.root_turn_id, agentIds]);
      if (found?.is_recorded) return true;
      await refuseBeingDeleted(unit, { project_id, root_turn_id: plan.root_turn_id });
      if (found?.taken) refuseTaken(found.taken);
      return false;
    },
    { statementMs: kernel.tunables.longStatementMs },
  );
}

function refuseTaken(agent_id: string): never {
  throw new KernelError(
    "conflict",
    `agent ${agent_id} already exists in the project and is not from this file; import into another project`,
    { agent_id },
  );
}

/** null when another import of the same file was faster. */
export async function recordRun(store: Store): Promise<RunFrame | null> {
  const { kernel, project_id, plan } = store;
  const { root_turn_id, trace_id, title, letters, metadata, agents } = plan;
  // The log ends now, so nothing of it is in the future.
  const start = kernel.now().getTime() - plan.ticks;
  const turns = await inSlices(recordedTurns(store, start));
  const edges = plan.edges.map(({ depth, created, ...edge }) => ({
    ...edge,
    recursion_depth: depth,
    created_at: timeAt(start, created),
  }));
  return withUnit(
    kernel,
    async (unit) => {
      await holdProject(unit, project_id);
      await lockImport(unit, project_id, plan.digest);
      const [known] = await unit.query("import_recorded", RECORDED, [project_id, root_turn_id]);
      if (known) return null;
      // Another import of the file may have been quicker, and its run is being deleted.
      await refuseBeingDeleted(unit, { project_id, root_turn_id });
      await insertProfiles(unit, { project_id, profiles: plan.profiles });
      await addAgents(unit, project_id, plan);
      return recordTurns(unit, {
        project_id,
        root_turn_id,
        trace_id,
        title,
        letters,
        metadata,
        turns,
        edges,
        heads: agents,
      });
    },
    { statementMs: kernel.tunables.longStatementMs },
  );
}

async function addAgents(unit: Unit, project_id: string, plan: ImportPlan): Promise<void> {
  const { format, digest, trace_id } = plan;
  const agents = plan.agents.map(({ turn_epoch: _epoch, last_output_box_id: _box, ...agent }) => ({
    ...agent,
    action: "provision" as const,
    trace_id,
    metadata: { import: { format, digest } },
  }));
  const made = new Set((await insertAgents(unit, { project_id, agents })).map((row) => row.agent_id));
  const taken = agents.find((agent) => !made.has(agent.agent_id));
  if (taken) refuseTaken(taken.agent_id);
}

function* recordedTurns({ plan, weights }: Store, start: number): Slices<RecordedTurn[]> {
  const agents = new Map(plan.agents.map((agent) => [agent.agent_id, agent]));
  const boxes = new Map(plan.boxes.map((box): [string, PlannedBox] => [box.box_id, box]));
  const recorded: RecordedTurn[] = [];
  for (const turn of plan.turns) {
    const { output_end: _end, created, ended, ...rest } = turn;
    const agent = agents.get(turn.agent_id);
    const output = boxes.get(turn.output_box_id);
    if (!agent || !output) throw new Error(`turn ${turn.agent_turn_id} was planned without an agent or an output box`);
    const { profile_box_id, profile_name, worker_target } = agent;
    recorded.push({
      ...rest,
      ...(yield* weighTurn(turn, output, weights)),
      profile_box_id,
      profile_name,
      worker_target,
      is_human: agent.is_human ?? false,
      created_at: timeAt(start, created),
      ended_at: timeAt(start, ended),
    });
    yield;
  }
  return recorded;
}

const timeAt = (start: number, tick: number): string => new Date(start + tick).toISOString();

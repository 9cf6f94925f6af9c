// Runs a person's fork again: the same tasks for fresh agents, each of which is given what the agent of its first run was given,
// word for word and in the same places. The gate, the number at once and the time are those of the fork.
import type { BoxCard } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import type { RunLimits } from "@/server/contract/run-limits";
import { BATCH_COLUMNS, type BatchRow } from "../batch/batch-row";
import { forkIn } from "../batch/fork-in";
import { createBoxes } from "../cardbox/create-boxes";
import { type BoxCards, readBoxStretches } from "../cardbox/read-box-cards";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { newAgentId } from "../roster/new-agent-id";
import { type Unit, withUnit } from "../unit";
import { ensureHuman, findHuman } from "./ensure-human";
import { type RecordedBranch, readBranches } from "./read-branches";
import { EVERYTHING, instructionOf, refuseGone } from "./read-original";
import { recordLaunch } from "./record-launch";
import { type GivenBranch, startBranches } from "./start-branches";
import { takeRunNumber } from "./take-run-number";

export type RerunFork = { project_id: string; batch_id: string; user: string; limits?: RunLimits };

type ForkRow = BatchRow & { title: string; instruction_card_id: string | null };

const FORK = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, t.title, t.instruction_card_id FROM state.pmo_batches b
  JOIN state.agent_turns t ON t.project_id = b.project_id AND t.agent_turn_id = b.parent_agent_turn_id
  WHERE b.project_id = $1 AND b.batch_id = $2`;

/** Answers the root turn of the new run. The number of statements is the same for one task and for sixty-four. */
export async function rerunFork(kernel: Kernel, input: RerunFork): Promise<{ root_turn_id: string }> {
  const { project_id, batch_id } = input;
  return withUnit(kernel, async (unit) => {
    const run_number = await takeRunNumber(unit, project_id);
    const [batch] = await unit.query<ForkRow>("rerun_fork", FORK, [project_id, batch_id]);
    if (!batch) throw new KernelError("not_found", `batch ${batch_id} not found in project ${project_id}`);
    const recorded = await readBranches(unit, { project_id, batch_id });
    const human = await ensureHuman(unit, { project_id, user: input.user, found: await findHuman(unit, input) });
    const turn = await recordLaunch(unit, {
      project_id,
      run_number,
      source: "launch",
      human,
      turn_id: unit.kernel.newId("turn_"),
      trace_id: unit.kernel.newId(),
      limits: input.limits,
      put_in: await instructionOf(unit, batch),
      title: batch.title,
      pointer: null,
    });
    const caller = { turn, is_human: true, body: null };
    const tool_call_id = unit.kernel.newId("tc_");
    const given = await copyContexts(unit, project_id, recorded);
    await forkIn(unit, {
      project_id,
      caller,
      tool: batch.tool_name,
      tool_call_id,
      input: {
        tasks: recorded.map(({ profile_name, title, attempts_max }) => ({
          target_strategy: "new",
          target_ref: profile_name,
          instruction: title,
          attempts: attempts_max,
        })),
        fail_fast: batch.fail_fast,
        ...(batch.max_parallel !== null && { max_parallel: batch.max_parallel }),
        ...(batch.policy !== null && { policy: batch.policy }),
        ...(batch.deadline_at !== null && { deadline_seconds: secondsOf(batch.created_at, batch.deadline_at) }),
      },
      branches: startBranches(unit, { caller, tool: batch.tool_name, tool_call_id, given }),
    });
    return { root_turn_id: turn.root_turn_id };
  });
}

const secondsOf = (from: string, to: string): number => Math.max(1, (Date.parse(to) - Date.parse(from)) / 1000);

/** What an agent remembered of earlier turns comes first: the model is sent the same. */
async function copyContexts(unit: Unit, project_id: string, recorded: RecordedBranch[]): Promise<GivenBranch[]> {
  const boxes = await readBoxStretches(unit, { project_id, stretches: stretchesOf(recorded) });
  const byId = new Map<string, BoxCards>(boxes.map((box) => [box.box_id, box]));
  const cardsOf = (box_id: string | null): BoxCard[] => (box_id === null ? [] : (byId.get(box_id)?.cards ?? []));
  for (const branch of recorded) refuseGone(branch, cardsOf(branch.context_box_id));
  const branches = recorded.map((branch) => ({
    ...branch,
    agent_id: newAgentId(branch.profile_name, unit.kernel.newId()),
  }));
  const copies = await createBoxes(unit, {
    project_id,
    boxes: branches.map(({ agent_id, context_box_id, output_box_id, output_start }) => ({
      kind: "context",
      owner_agent_id: agent_id,
      items: [
        ...cardsOf(output_box_id)
          .slice(0, output_start ?? 0)
          .map((card) => ({ ...card, origin: `box:${output_box_id}` as const })),
        ...cardsOf(context_box_id),
      ],
    })),
  });
  return branches.map((branch, i) => {
    const box = copies[i];
    if (!box) throw new Error("a box was asked for and none came back");
    return { ...branch, box };
  });
}

function stretchesOf(recorded: readonly RecordedBranch[]) {
  // One box may be the context of several tasks.
  const wanted = new Map<string, number>();
  for (const { context_box_id, output_box_id, output_start } of recorded) {
    wanted.set(context_box_id, EVERYTHING);
    if (output_box_id !== null && (output_start ?? 0) > 0)
      wanted.set(output_box_id, Math.max(wanted.get(output_box_id) ?? 0, output_start ?? 0));
  }
  return [...wanted].map(([box_id, limit]) => ({ box_id, from: 0, limit }));
}

// A person launches a new agent that replaces another one: what a rerun and a fork have in common. They decide which cards
// the agent is given; this creates the run, the root turn, the agent and its turn.
import type { TurnFrame } from "@/server/contract/frame";
import type { RunLimits } from "@/server/contract/run-limits";
import { columnsOf } from "../columns";
import { takeHeadcodes } from "../delegation/take-headcodes";
import { insertAgents } from "../roster/insert-agents";
import { newAgentId } from "../roster/new-agent-id";
import { enqueueTurns } from "../turns/enqueue-turns";
import type { NewTurn } from "../turns/new-turn";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { ensureHuman, findHuman } from "./ensure-human";
import { recordLaunch } from "./record-launch";

/** Who runs it: the profile box names the very version. */
export type Performer = Pick<TurnRow, "profile_box_id" | "profile_name" | "worker_target" | "needs_own_worker"> & {
  tags: string[];
  display_name: string;
  window_tokens: number | null;
};

export type AgainContext = Pick<
  NewTurn,
  "context_box_id" | "instruction_card_id" | "context_cards" | "context_tokens" | "context_consist"
>;

export type AgainInput = {
  project_id: string;
  user: string;
  run_number: number;
  /** Of the new run. */
  limits?: RunLimits;
  performer: Performer;
  /** The first card of the person's own turn. */
  put_in: string;
  title: TurnFrame["title"];
  /** What the person's deliverable says beside whom it launched: `rerun_of`, `forked_from`. */
  pointer: { rerun_of: string } | { forked_from: string };
  makeContext: (agent_id: string, human_agent_id: string, root_turn_id: string) => Promise<AgainContext>;
};

const TURN = `SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2`;

/** Answers the turn, leased: its agent is new and has nothing else to do. */
export async function startAgain(unit: Unit, input: AgainInput): Promise<TurnRow> {
  const { project_id, put_in, title, performer } = input;
  const { newId } = unit.kernel;
  const human = await ensureHuman(unit, { project_id, user: input.user, found: await findHuman(unit, input) });
  const root_turn_id = newId("turn_");
  const agent_turn_id = newId("turn_");
  const root = await recordLaunch(unit, {
    project_id,
    run_number: input.run_number,
    limits: input.limits,
    source: "launch",
    human,
    turn_id: root_turn_id,
    trace_id: newId(),
    put_in,
    title,
    pointer: { kind: "json", data: { kind: "launch", tool: "delegate_async", agent_turn_id, ...input.pointer } },
  });
  const agent_id = newAgentId(performer.profile_name, newId());
  const { tags, display_name, window_tokens, needs_own_worker, ...profile } = performer;
  const { trace_id } = root;
  await insertAgents(unit, {
    project_id,
    agents: [
      {
        ...profile,
        agent_id,
        tags,
        display_name,
        owner_agent_id: human.agent_id,
        metadata: { spawned_by: human.agent_id },
        action: "provision",
        source_agent_id: human.agent_id,
        trace_id,
      },
    ],
  });
  const context = await input.makeContext(agent_id, human.agent_id, root_turn_id);
  const depth = root.depth + 1;
  const turns = [{ profile_name: profile.profile_name, depth }];
  const { codes } = await takeHeadcodes(unit, { project_id, root_turn_id, turns, adds: 1 });
  const [headcode] = codes;
  await enqueueTurns(unit, {
    project_id,
    turns: [
      {
        ...profile,
        ...context,
        needs_own_worker,
        agent_turn_id,
        agent_id,
        parent_turn_id: root_turn_id,
        root_turn_id,
        primitive: "delegate_async",
        target_strategy: "new",
        depth,
        channel: root.channel,
        trace_id,
        headcode: headcode ?? "",
        title: root.title,
        window_tokens,
        source_agent_id: human.agent_id,
      },
    ],
  });
  const [turn] = await unit.query<TurnRow>("again_turn", TURN, [project_id, agent_turn_id]);
  if (!turn) throw new Error("a turn was queued and did not come back");
  return turn;
}

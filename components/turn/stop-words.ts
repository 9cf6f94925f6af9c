// What stopping a turn will do, spelled out before it is done. Pure: from the turn, what lives below it, and its batch.
import { formatCount } from "@/components/ui/format";
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import { isEnded, type TurnStatus } from "@/server/contract/turn";

export type StopScope = "turn" | "subtree";

export type BranchOf = {
  batch: BatchFrame;
  /** B1 */
  name: string;
  /** The headcode of the turn that forked it. */
  caller: string;
  /** Of every task but this one, in any order; "pending" has no turn yet. */
  others: readonly (TurnStatus | "pending")[];
};

export type StopInput = {
  turn: TurnFrame;
  /** Every turn below it that has not ended. */
  below: readonly TurnFrame[];
  /** Batches that have not ended. */
  running: ReadonlyMap<string, { batch: BatchFrame; name: string; held: number }>;
  /** The batch this turn is a branch of, while it runs. */
  branchOf: BranchOf | null;
};

export type StopPlan = {
  /** Turns that end, this one among them. */
  stops: number;
  /** Turns below that go on. */
  leaves: number;
  lines: string[];
};

export function stopPlan(input: StopInput, scope: StopScope): StopPlan {
  const { turn, below, branchOf } = input;
  const forked = forkedWith(input);
  const stopped = scope === "subtree" ? below : below.filter((one) => forked.turns.has(one.agent_turn_id));
  const leaves = below.length - stopped.length;
  const lines = [
    `${turn.headcode} ends as canceled. ${fallback(turn)}`,
    ...forked.batches.map(({ name, count, held }) => batchLine(name, count, held, turn)),
  ];
  const others = stopped.length - forked.turns.size;
  if (others > 0)
    lines.push(
      `${formatCount(others, "turn")} below that it does not wait for ${others === 1 ? "is" : "are"} stopped too.`,
    );
  if (leaves > 0)
    lines.push(`${formatCount(leaves, "turn")} below that it does not wait for ${leaves === 1 ? "goes" : "go"} on.`);
  if (branchOf) lines.push(branchLine(branchOf));
  lines.push("Cards, boxes and the journal are kept.");
  return { stops: stopped.length + 1, leaves, lines };
}

/** "This turn (2)" was said of a turn and the branches that end with it. */
export function scopeLabels(plans: Record<StopScope, StopPlan>): Record<StopScope, string> {
  const { turn, subtree } = plans;
  return turn.stops === 1
    ? { turn: "This turn (1)", subtree: `This turn and all turns below it (${subtree.stops})` }
    : { turn: `With its running branches (${turn.stops})`, subtree: `With all turns below it (${subtree.stops})` };
}

/** "2S04 is stopped, and 3 turns with it"; nothing was left to stop when it ended meanwhile. */
export function stoppedWords(turn: TurnFrame, stopped: readonly string[]): string {
  if (stopped.length === 0) return `${turn.headcode} had ended before it could be stopped`;
  const others = stopped.filter((id) => id !== turn.agent_turn_id).length;
  const self = stopped.includes(turn.agent_turn_id) ? `${turn.headcode} is stopped` : `${turn.headcode} had ended`;
  return others === 0 ? self : `${self}, and ${formatCount(others, "turn")} with it`;
}

/** A person's turn has no agent that would have written one. */
const fallback = (turn: TurnFrame): string =>
  turn.is_human ? "The person gets no result." : "Switchyard writes a deliverable that says it was stopped.";

type Forked = { turns: ReadonlySet<string>; batches: { name: string; count: number; held: number }[] };

/** Batches end with the turn that waits for them, and so on downwards. */
function forkedWith({ turn, below, running }: StopInput): Forked {
  const turns = new Set<string>();
  const batches: Forked["batches"] = [];
  const ending = [turn.agent_turn_id];
  for (let id = ending.pop(); id !== undefined; id = ending.pop())
    for (const { batch, name, held } of running.values()) {
      if (batch.parent_agent_turn_id !== id) continue;
      const branches = below.filter((one) => one.batch_id === batch.batch_id);
      batches.push({ name, count: branches.length, held });
      for (const branch of branches) {
        turns.add(branch.agent_turn_id);
        ending.push(branch.agent_turn_id);
      }
    }
  return { turns, batches };
}

function batchLine(name: string, count: number, held: number, turn: TurnFrame): string {
  const running =
    count === 0
      ? ""
      : ` ${formatCount(count, "branch", "branches")} still running ${count === 1 ? "is" : "are"} stopped.`;
  const waiting = held === 0 ? "" : ` ${formatCount(held, "task")} held back ${held === 1 ? "is" : "are"} never sent.`;
  return `${name} ends as canceled with ${turn.headcode}, and no turn resumes.${running}${waiting}`;
}

function branchLine({ batch, name, caller, others }: BranchOf): string {
  if (batch.tool_name === "ask_expert")
    return `${caller} waits for its answer. It will be told that there is none, and continue.`;
  const open = others.filter((status) => status === "pending" || !isEnded(status)).length;
  if (batch.fail_fast)
    return `${name} uses fail fast and closes as failed${open === 0 ? "" : `, its ${formatCount(open, "other branch", "other branches")} ${open === 1 ? "is" : "are"} stopped`}, and ${caller} resumes.`;
  if (open > 0)
    return `${name} continues without it: ${open} still open, and it can close as ${atBest(others)} at best.`;
  return `${name} has no other open branches: it closes as ${joined(others)}, and ${caller} resumes.`;
}

/** One branch is canceled: what the batch comes to if all that are still running deliver. */
const atBest = (others: BranchOf["others"]): string =>
  joined(others.map((status) => (status === "pending" || !isEnded(status) ? "success" : status)));

function joined(others: BranchOf["others"]): string {
  if (others.includes("success")) return "partial";
  if (others.includes("failed")) return "failed";
  if (others.includes("timeout")) return "timeout";
  return others.includes("partial") ? "partial" : "failed";
}

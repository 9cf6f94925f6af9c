// Frames as the server sends them, made up for tests and benches. Never imported by the product.
import type { EdgeFrame, Frame, TurnFrame } from "@/server/contract/frame";
import type { TurnStatus } from "@/server/contract/turn";

export const EPOCH = Date.parse("2026-03-07T14:28:00.000Z");
export const at = (seconds: number): string => new Date(EPOCH + seconds * 1000).toISOString();

export function sampleTurn(id: string, over: Partial<TurnFrame> = {}): TurnFrame {
  return {
    kind: "turn",
    id,
    rev: 1,
    agent_turn_id: id,
    agent_id: `agent_${id}`,
    profile_name: "Associate_Search",
    worker_target: "worker_generic",
    is_human: false,
    status: "success",
    turn_epoch: 1,
    attempt: 1,
    root_turn_id: "t0",
    primitive: "delegate_async",
    target_strategy: "new",
    depth: 2,
    trace_id: "trace",
    headcode: `2S${id}`,
    title: `Task ${id}`,
    profile_box_id: `pb_${id}`,
    context_box_id: `cb_${id}`,
    step_count: 2,
    context_cards: 4,
    context_tokens: 5_000,
    context_consist: "S2000 U2500 T500",
    output_cards: 3,
    output_tokens: 3_000,
    output_consist: "A500 T2000 A500",
    window_tokens: 32_000,
    tokens_in: 12_000,
    tokens_out: 900,
    created_at: at(0),
    started_at: at(1),
    ended_at: at(30),
    ...over,
  };
}

export function sampleEdge(source: string, target: string, over: Partial<EdgeFrame> = {}): EdgeFrame {
  return {
    kind: "edge",
    id: `e_${target}`,
    rev: 1,
    root_turn_id: "t0",
    source_turn_id: source,
    target_turn_id: target,
    is_inferred: false,
    primitive: "delegate_async",
    target_strategy: "new",
    created_at: at(0),
    ...over,
  };
}

/** A person, the turn the person launched, and `parents[i]` = the index (from 1) of the caller of turn i + 2. */
export function sampleRun(parents: readonly number[], isInferred = false): Frame[] {
  const frames: Frame[] = [
    sampleTurn("t0", { is_human: true, depth: 0, headcode: "0H01", profile_name: "sys.human", worker_target: "human" }),
    sampleTurn("t1", { depth: 1, headcode: "1P01", parent_turn_id: "t0", profile_name: "Principal_Planner" }),
    sampleEdge("t0", "t1", { primitive: "launch_principal" }),
  ];
  for (const [i, parent] of parents.entries()) {
    const id = `t${i + 2}`;
    frames.push(
      sampleTurn(id, {
        parent_turn_id: `t${parent}`,
        created_at: at(i + 1),
        started_at: at(i + 2),
        ended_at: at(i + 30),
        status: statuses[i % statuses.length] ?? "success",
        headcode: `2S${String(i + 1).padStart(2, "0")}`,
      }),
      sampleEdge(`t${parent}`, id, { is_inferred: isInferred, created_at: at(i + 1) }),
    );
  }
  return frames;
}

/** `count` turns in runs of a planner, some leads and their searches: the shape of a busy project. */
export function busyProject(count: number): Frame[] {
  const parents: number[] = [];
  for (let i = 0; parents.length < count - 2; i++) parents.push(i % 9 === 0 ? 1 : 2 + i - (i % 9));
  return sampleRun(parents);
}

const statuses: TurnStatus[] = ["success", "success", "running", "success", "failed", "queued", "partial", "timeout"];

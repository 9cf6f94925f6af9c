// A ring as a NATS message. Bodies contain ids, never content: readers fetch it with their own rights. The exception is what
// a model says while someone watches, because it is stored nowhere else.
import { randomBytes } from "node:crypto";
import {
  CHANNEL_DEFAULT,
  commandSubject,
  eventSubject,
  journalSubject,
  parseSubject,
  turnSubject,
  wakeupSubject,
} from "@/server/contract/subject";
import type { CommandRing, EventRing, Ring, ThinkingRing, WakeupRing } from "@/server/kernel/kernel";
import { readPiece } from "./read-piece";

export type NatsMessage = { subject: string; headers: Record<string, string>; body: string };

/** null = a command whose subject is outside its project, its channel or `cmd.tool`. */
export function messageOf(ring: Ring): NatsMessage | null {
  if (ring.kind === "wakeup") return wakeupMessage(ring);
  if (ring.kind === "journal") return { subject: journalSubject(ring), headers: {}, body: "{}" };
  if (ring.kind === "lease") return { subject: turnSubject({ ...ring, what: "lease" }), headers: {}, body: "{}" };
  if (ring.kind === "watch")
    return { subject: turnSubject({ ...ring, what: ring.wants_all ? "catch_up" : "watch" }), headers: {}, body: "{}" };
  if (ring.kind === "thinking") return thinkingMessage(ring);
  return ring.kind === "event" ? eventMessage(ring) : commandMessage(ring);
}

/** Taken from the subject alone, except for text: anyone who may publish may ring, whatever the body. null = not a ring. */
export function ringOf(subject: string, body = ""): Ring | null {
  const parsed = parseSubject(subject);
  if (!parsed) return null;
  const { project_id, channel, path } = parsed;
  const [verb, component, target, what] = path;
  if (path.join(".") === "evt.sys.journal") return { kind: "journal", project_id };
  if (verb === "cmd" && component === "agent" && target && what === "wakeup" && path.length === 4)
    return { kind: "wakeup", project_id, channel, worker_target: target };
  if (component !== "turn" || target === undefined || path.length !== 4) return null;
  const turn = { project_id, channel, agent_turn_id: target };
  if (verb === "cmd" && what === "lease") return { kind: "lease", ...turn };
  if (verb === "cmd" && (what === "watch" || what === "catch_up"))
    return { kind: "watch", ...turn, wants_all: what === "catch_up" };
  const piece = verb === "evt" && what === "thinking" ? readPiece(body) : null;
  return piece && { kind: "thinking", ...piece, ...turn };
}

function thinkingMessage(ring: ThinkingRing): NatsMessage {
  const { kind: _kind, project_id: _project, channel: _channel, ...piece } = ring;
  return { subject: turnSubject({ ...ring, what: "thinking" }), headers: {}, body: JSON.stringify(piece) };
}

function wakeupMessage(ring: WakeupRing): NatsMessage {
  const { worker_target, agent_id, agent_turn_id, turn_epoch } = ring;
  return {
    subject: wakeupSubject(ring),
    headers: traceOf(ring.trace_id),
    body: JSON.stringify({ worker_target, agent_id, agent_turn_id, turn_epoch }),
  };
}

// Depth, step, call and parents stay in the journal: a listener of events has no part in the call tree (case 183).
function eventMessage(ring: EventRing): NatsMessage {
  const { kind: _kind, event, project_id, channel: _channel, trace_id, ...pointers } = ring;
  const once = [project_id, event, ring.agent_turn_id, ring.step_id, ring.status, ring.rev].filter(isGiven);
  return {
    subject: eventSubject(ring),
    headers: { ...traceOf(trace_id), "Nats-Msg-Id": once.join("/") },
    body: JSON.stringify(pointers),
  };
}

function commandMessage(ring: CommandRing): NatsMessage | null {
  const subject = commandSubject(ring);
  if (subject === null) return null;
  const { tool_name, after_execution, tool_call_card_id } = ring;
  const headers = {
    "CG-Project-Id": ring.project_id,
    "CG-Channel-Id": ring.channel ?? CHANNEL_DEFAULT,
    "CG-Agent-Id": ring.agent_id,
    "CG-Agent-Turn-Id": ring.agent_turn_id,
    "CG-Turn-Epoch": String(ring.turn_epoch),
    "CG-Step-Id": ring.step_id,
    "CG-Tool-Call-Id": ring.tool_call_id,
    "CG-Parent-Agent-Turn-Id": ring.parent_agent_turn_id,
    "CG-Parent-Step-Id": ring.parent_step_id,
    "CG-Recursion-Depth": String(ring.recursion_depth),
    "Nats-Msg-Id": `${ring.project_id}/${ring.tool_call_id}`,
    ...traceOf(ring.trace_id),
  };
  return {
    subject,
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => isGiven(entry[1])),
    ),
    body: JSON.stringify({ tool_name, after_execution, tool_call_card_id }),
  };
}

const isGiven = (value: unknown): boolean => value !== undefined;

/** W3C: same trace, a span of its own. */
function traceOf(trace_id: string | undefined): Record<string, string> {
  const id = trace_id?.toLowerCase() ?? "";
  if (!/^[0-9a-f]{32}$/.test(id) || /^0+$/.test(id)) return {};
  return { traceparent: `00-${id}-${randomBytes(8).toString("hex")}-01` };
}

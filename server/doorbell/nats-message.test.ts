// What goes over the bus: subjects, headers and bodies of docs/design/kernel.md 7.
import { expect, test } from "vitest";
import type { CommandRing, EventRing, ThinkingRing, WakeupRing } from "@/server/kernel/kernel";
import { messageOf, ringOf } from "./nats-message";

const trace_id = "0af7651916cd43dd8448eb211c80319c";
const traceparent = expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
const wakeup: WakeupRing = {
  kind: "wakeup",
  project_id: "p1",
  channel: "public",
  worker_target: "py.v2",
  agent_id: "agent_1",
  agent_turn_id: "turn_1",
  turn_epoch: 3,
  trace_id,
};
const event: EventRing = {
  kind: "event",
  event: "task",
  project_id: "p1",
  agent_id: "agent_1",
  agent_turn_id: "turn_1",
  turn_epoch: 3,
  status: "success",
  rev: 9,
  output_box_id: "box_1",
  deliverable_card_id: "card_1",
  trace_id,
};
const command: CommandRing = {
  kind: "command",
  target_subject: "cg.v1r4.{project}.{channel}.cmd.tool.word_count",
  project_id: "p1",
  agent_id: "agent_1",
  agent_turn_id: "turn_1",
  turn_epoch: 3,
  step_id: "step_1",
  tool_call_id: "tc_1",
  tool_name: "word_count",
  tool_call_card_id: "card_2",
  after_execution: "suspend",
  recursion_depth: 2,
  trace_id,
  parent_agent_turn_id: "turn_0",
  parent_step_id: "step_0",
};

test("a wakeup names its target in the subject and the agent in the body, and is read back from the subject", () => {
  const message = messageOf(wakeup);
  expect(message).toEqual({
    subject: "cg.v1r4.p1.public.cmd.agent.py=2ev2.wakeup",
    headers: { traceparent },
    body: '{"worker_target":"py.v2","agent_id":"agent_1","agent_turn_id":"turn_1","turn_epoch":3}',
  });
  expect(ringOf(message?.subject ?? "")).toEqual({
    kind: "wakeup",
    project_id: "p1",
    channel: "public",
    worker_target: "py.v2",
  });
});

test("a journal ring is read back", () => {
  const message = messageOf({ kind: "journal", project_id: "p1" });
  expect(message?.headers).toEqual({});
  expect(ringOf(message?.subject ?? "")).toEqual({ kind: "journal", project_id: "p1" });
});

const of = { project_id: "p1", channel: "public", agent_turn_id: "turn_1" };

test.each([
  [{ kind: "lease", ...of } as const, "cg.v1r4.p1.public.cmd.turn.turn_1.lease"],
  [{ kind: "watch", ...of, wants_all: false } as const, "cg.v1r4.p1.public.cmd.turn.turn_1.watch"],
  [{ kind: "watch", ...of, wants_all: true } as const, "cg.v1r4.p1.public.cmd.turn.turn_1.catch_up"],
])("%o is read back from its subject alone", (ring, subject) => {
  const message = messageOf(ring);
  expect(message).toEqual({ subject, headers: {}, body: "{}" });
  expect(ringOf(subject)).toEqual(ring);
});

test("what a model says is the one body with words; project and turn are those of the subject", () => {
  const piece = { turn_epoch: 3, step_id: "s", seq: 4, round: 0, part: "text", offset: 2, text: "wo", is_over: false };
  const ring = { kind: "thinking", ...of, ...piece } as ThinkingRing;
  const { subject = "", body = "", headers } = messageOf(ring) ?? {};
  expect([subject, headers]).toEqual(["cg.v1r4.p1.public.evt.turn.turn_1.thinking", {}]);
  expect(ringOf(subject, body)).toEqual(ring);
  expect(ringOf(subject, JSON.stringify({ ...ring, project_id: "p2", agent_turn_id: "turn_2" }))).toEqual(ring);
  for (const bad of ["", "{", "{}", JSON.stringify({ ...ring, offset: -1 }), JSON.stringify({ ...ring, part: "kind" })])
    expect(ringOf(subject, bad)).toBeNull();
});

test("an event carries pointers, and no depth, step, call or parent in its headers", () => {
  const message = messageOf(event);
  expect(message?.subject).toBe("cg.v1r4.p1.public.evt.agent.agent_1.task");
  expect(message?.headers).toEqual({ traceparent, "Nats-Msg-Id": "p1/task/turn_1/success/9" });
  expect(JSON.parse(message?.body ?? "")).toEqual({
    agent_id: "agent_1",
    agent_turn_id: "turn_1",
    turn_epoch: 3,
    status: "success",
    rev: 9,
    output_box_id: "box_1",
    deliverable_card_id: "card_1",
  });
});

test("events of one turn differ in their message id, the same event twice does not", () => {
  const id = (ring: EventRing) => messageOf(ring)?.headers["Nats-Msg-Id"];
  const all = [event, { ...event, rev: 10 }, { ...event, event: "state" as const }, { ...event, project_id: "p2" }];
  expect(new Set(all.map(id)).size).toBe(4);
  expect(id(event)).toBe(id({ ...event }));
});

test("a command carries the whole topology in its headers, and its body points to the call", () => {
  expect(messageOf(command)).toEqual({
    subject: "cg.v1r4.p1.public.cmd.tool.word_count",
    headers: {
      "CG-Project-Id": "p1",
      "CG-Channel-Id": "public",
      "CG-Agent-Id": "agent_1",
      "CG-Agent-Turn-Id": "turn_1",
      "CG-Turn-Epoch": "3",
      "CG-Step-Id": "step_1",
      "CG-Tool-Call-Id": "tc_1",
      "CG-Parent-Agent-Turn-Id": "turn_0",
      "CG-Parent-Step-Id": "step_0",
      "CG-Recursion-Depth": "2",
      "Nats-Msg-Id": "p1/tc_1",
      traceparent,
    },
    body: '{"tool_name":"word_count","after_execution":"suspend","tool_call_card_id":"card_2"}',
  });
});

test("a command that leaves its project is not sent", () => {
  expect(messageOf({ ...command, target_subject: "cg.v1r4.p2.public.cmd.tool.word_count" })).toBeNull();
});

test("a trace id that is none gives no traceparent", () => {
  for (const bad of [undefined, "xyz", "0".repeat(32)])
    expect(messageOf({ ...wakeup, trace_id: bad })?.headers).toEqual({});
});

test.each(["cg.v1r4.p1.public.evt.agent.a.task", "cg.v1r4.p1.public.cmd.agent.x.y.wakeup", "other"])(
  "%s is no ring",
  (subject) => {
    expect(ringOf(subject)).toBeNull();
  },
);

// What a worker in another language does with a claimed turn (docs/workers.md). Every verb here answers 409 `fenced` to an old
// epoch.
import * as z from "zod";
import { Turn } from "@/server/contract/answers/turns";
import { CallResult, ResumeResult, SuspendResult } from "@/server/contract/answers/work";
import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { isEnded } from "@/server/contract/turn";
import {
  AppendBody,
  CallBody,
  DeliverBody,
  HeartbeatBody,
  ResumeBody,
  StartBody,
  StepBody,
  SuspendBody,
} from "@/server/contract/work";
import { batchCards as findCards } from "@/server/kernel/cardbox/get-cards";
import { refuseLarge } from "@/server/kernel/cardbox/refuse-large";
import { readInboxRow } from "@/server/kernel/inbox/read-row";
import type { Kernel } from "@/server/kernel/kernel";
import { weighRequest } from "@/server/kernel/provenance/weigh-request";
import { readNextRequest } from "@/server/kernel/read-models/read-next-request";
import { readTurn } from "@/server/kernel/read-models/read-turn";
import { callTool } from "@/server/kernel/tools/call-tool";
import { deliverResult } from "@/server/kernel/tools/deliver-result";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { beatTurn } from "@/server/kernel/turns/beat-turn";
import { beginStep } from "@/server/kernel/turns/begin-step";
import { isFenced } from "@/server/kernel/turns/fenced";
import { finishStep } from "@/server/kernel/turns/finish-step";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { suspendTurn } from "@/server/kernel/turns/suspend-turn";
import { turnFrame } from "@/server/kernel/turns/turn-row";
import { fenced, held } from "../held";
import { id, route } from "../route";

const turnPath = (verb: string) => `/projects/{project_id}/turns/{agent_turn_id}:${verb}`;

export const turnWorkRoutes = [
  route({
    operationId: "startTurn",
    method: "POST",
    path: turnPath("start"),
    summary: "Start a claimed turn and consume its inbox row. The same worker may send it again",
    body: StartBody,
    answer: z.strictObject({ epoch: z.number(), turn: Turn }),
    call: async ({ kernel, params, body }) => {
      const key = keyOf(params, body);
      const { turn } = held(
        key.agent_turn_id,
        body.epoch,
        await startTurn(kernel, { ...key, worker_id: body.worker_id }),
      );
      return { epoch: turn.turn_epoch, turn: turnFrame(turn) };
    },
  }),
  route({
    operationId: "beatTurn",
    method: "POST",
    path: turnPath("heartbeat"),
    summary: "Send a heartbeat. Without one for a minute the turn is taken over. `note` is shown with the turn",
    body: HeartbeatBody,
    answer: z.strictObject({ stop_requested: z.boolean() }),
    call: async ({ kernel, params, body }) => {
      const { epoch, ...beat } = body;
      const key = keyOf(params, body);
      return held(key.agent_turn_id, epoch, await beatTurn(kernel, { ...key, ...beat }));
    },
  }),
  route({
    operationId: "appendOutput",
    method: "POST",
    path: turnPath("append"),
    summary: "Append cards to the output box. Their author is the agent unless they name another",
    body: AppendBody,
    answer: z.strictObject({ card_ids: z.array(z.string()) }),
    call: async ({ kernel, params, body }) => {
      const { epoch, cards, note } = body;
      for (const [i, card] of cards.entries()) refuseLarge(card, `cards.${i}`);
      const key = keyOf(params, body);
      const { agent_id } = await readTurn(kernel, key);
      const authored = cards.map((card) => ({ ...card, author_id: card.author_id ?? agent_id }));
      return held(
        key.agent_turn_id,
        epoch,
        await appendOutput(kernel, { ...key, cards: authored, note, areGiven: true }),
      );
    },
  }),
  route({
    operationId: "recordStep",
    method: "POST",
    path: turnPath("step"),
    summary: "Begin a step (stores what the model is about to see), or end it with its usage",
    body: StepBody,
    answer: z.strictObject({ step_id: z.string(), request_box_id: z.string().optional() }),
    call: async ({ kernel, params, body }) => {
      const key = keyOf(params, body);
      if (body.phase === "started")
        return held(key.agent_turn_id, body.epoch, await startStep(kernel, key, body.request ?? {}, body.note));
      const { epoch, phase: _phase, ...end } = body;
      return held(key.agent_turn_id, epoch, await finishStep(kernel, { ...key, ...end }));
    },
  }),
  route({
    operationId: "callTool",
    method: "POST",
    path: turnPath("call"),
    summary: "Call a tool. The answer is its result (inline), or the turn has to wait for it (suspend)",
    body: CallBody,
    answer: CallResult,
    call: async ({ kernel, params, body, request }) => {
      const { epoch, ...call } = body;
      const key = keyOf(params, body);
      return held(key.agent_turn_id, epoch, await callTool(kernel, { ...key, ...call, signal: request.signal }));
    },
  }),
  route({
    operationId: "suspendTurn",
    method: "POST",
    path: turnPath("suspend"),
    summary: "Suspend the turn until its calls have results. Results that are already there are returned at once",
    body: SuspendBody,
    answer: SuspendResult,
    call: async ({ kernel, params, body }) => {
      const { epoch, tool_call_ids } = body;
      const key = keyOf(params, body);
      return held(key.agent_turn_id, epoch, await suspendTurn(kernel, { ...key, tool_call_ids }));
    },
  }),
  route({
    operationId: "resumeTurn",
    method: "POST",
    path: turnPath("resume"),
    summary: "Apply a claimed result. After the last one the turn continues under a new epoch, owned by the worker",
    body: ResumeBody,
    answer: ResumeResult,
    call: ({ kernel, params, body }) => resume(kernel, keyOf(params, body), body),
  }),
  route({
    operationId: "deliverResult",
    method: "POST",
    path: turnPath("deliver"),
    summary: "End the turn with its deliverable",
    body: DeliverBody,
    answer: z.strictObject({ deliverable_card_id: z.string() }),
    call: async ({ kernel, params, body }) => {
      const { epoch, content, ...end } = body;
      const key = keyOf(params, body);
      if (content === null && end.status === "success")
        throw new KernelError("bad_request", "content: a success delivers something; give a text or a card's content");
      const answer = await deliverResult(kernel, { ...key, ...end, content: contentOf(content) });
      return held(key.agent_turn_id, epoch, answer);
    },
  }),
];

type Key = { project_id: string; agent_turn_id: string; turn_epoch: number };

const keyOf = (params: Record<string, string>, body: { epoch: number }): Key => ({
  project_id: id(params, "project_id"),
  agent_turn_id: id(params, "agent_turn_id"),
  turn_epoch: body.epoch,
});

const contentOf = (content: string | CardContent | null): CardContent | null =>
  typeof content === "string" ? { kind: "text", text: content } : content;

const nothing = { system: "", card_ids: [], tools: [], messages: [], tokens: 0, tools_tokens: 0 };

type Sent = { system?: string; card_ids?: string[]; tools?: { tool_name: string }[]; text?: string };

/** Missing parts of the request default to what the kernel would send. */
async function startStep(kernel: Kernel, key: Key, sent: Sent, note?: string) {
  const { project_id } = key;
  if (sent.card_ids) {
    const { missing_ids } = await findCards(kernel, { project_id, card_ids: sent.card_ids });
    if (missing_ids.length > 0)
      throw new KernelError("not_found", `request.card_ids: card ${missing_ids[0]} not found`);
  }
  // An ended turn gets no more requests. The step's own lock then answers, as for every other late writer.
  const turn = await readTurn(kernel, key);
  const next = isEnded(turn.status) ? nothing : await readNextRequest(kernel, key);
  const { messages, tokens, tools_tokens, ...kernels } = next;
  const { system = kernels.system, card_ids = kernels.card_ids, tools = kernels.tools } = sent;
  const isOurs = Object.keys(sent).length === 0;
  const text = isOurs ? JSON.stringify({ system, messages, tools }) : sent.text;
  const isOther = Boolean(sent.system ?? sent.card_ids ?? sent.tools);
  const weight = isOther
    ? await weighRequest(kernel, { turn: { ...turn, project_id }, system, card_ids, tools })
    : { tokens, tools_tokens };
  const begun = await beginStep(kernel, {
    ...key,
    request: {
      system,
      card_ids,
      tools,
      ...(text !== undefined && { bytes: Buffer.from(text) }),
      ...weight,
    },
    note,
  });
  if (isFenced(begun)) return begun;
  return { step_id: begun.step_id, request_box_id: begun.request_box_id };
}

/** The row has its epoch; a request with another epoch holds an answer meant for another worker. */
async function resume(kernel: Kernel, key: Key, body: { epoch: number; inbox_id: string; worker_id?: string }) {
  const { project_id, agent_turn_id } = key;
  const { inbox_id, epoch } = body;
  const turn = await readTurn(kernel, key);
  const row = await readInboxRow(kernel, { project_id, inbox_id });
  if (row.turn_epoch !== epoch) throw fenced(agent_turn_id, epoch, turn.turn_epoch);
  const worker_id = body.worker_id ?? row.claimed_by;
  if (worker_id === null)
    throw new KernelError("conflict", `inbox row ${inbox_id} is ${row.status}, not claimed; claim it first`);
  const answer = await resumeTurn(kernel, { project_id, agent_turn_id, inbox_id, worker_id });
  if (answer === null)
    throw new KernelError("bad_request", `inbox_id: row ${inbox_id} is not a result of turn ${agent_turn_id}`);
  const { turn_epoch, turn: _turn, ...resumed } = answer;
  if (answer.status === "ignored" && turn_epoch > epoch) throw fenced(agent_turn_id, epoch, turn_epoch);
  return { epoch: turn_epoch, ...resumed };
}

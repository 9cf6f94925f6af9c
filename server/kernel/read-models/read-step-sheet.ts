// One step of a turn: what the model was sent, message by message with the cards each was made of, and what it answered.
// Messages are assembled by the code that sent them, from the cards of the request box; the exact bytes that were sent are
// stored separately (readStepRequest).
import { type Card, contentText } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import type { SeenMessage, StepCall, StepSheet, StepText } from "@/server/contract/turn-sheet";
import { CARD_COLUMNS, type CardRow, STORED_CARD, toCard } from "../cardbox/card-row";
import { getCards } from "../cardbox/get-cards";
import { readBoxIds } from "../cardbox/read-box";
import { assembleMessages } from "../context/assemble-messages";
import type { Message } from "../context/message";
import { readBackgrounds } from "../context/read-background";
import type { Kernel } from "../kernel";
import { renderer } from "../provenance/renderer";
import { read } from "../reader";
import { readStored } from "../roster/parse-profile";
import { readBodies } from "../roster/read-bodies";

export type StepSheetInput = {
  project_id: string;
  agent_turn_id: string;
  step_id: string;
  /** Texts longer than this are cut; `letters` is their full length. */
  letters_max?: number;
};

/** Some 60 lines of prose. A request may weigh megabytes, and nobody reads all of it at once. */
const LETTERS_MAX = 4_000;

const STEP = `
  SELECT s.step_id, s.ordinal, s.request_box_id, s.request_tokens, s.request_sha256, coalesce(s.request_size, octet_length(s.request_bytes)) AS bytes,
    t.profile_box_id, t.agent_id, t.deliverable_card_id,
    NOT EXISTS (SELECT 1 FROM state.agent_steps n WHERE n.project_id = $1 AND n.agent_turn_id = $2 AND n.ordinal > s.ordinal) AS is_last,
    b.ordinal AS before_ordinal, b.request_box_id AS before_box_id
  FROM state.agent_steps s
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = $2
  LEFT JOIN LATERAL (SELECT p.ordinal, p.request_box_id FROM state.agent_steps p WHERE p.project_id = $1 AND p.agent_turn_id = $2
    AND p.ordinal < s.ordinal AND p.request_box_id IS NOT NULL ORDER BY p.ordinal DESC LIMIT 1) b ON true
  WHERE s.project_id = $1 AND s.agent_turn_id = $2 AND s.step_id = $3`;

// Results that came while the turn slept are written by somebody else: found by their call, which has only one.
const WRITTEN = `
  WITH own AS (
    SELECT ${STORED_CARD} FROM cards c WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = $2 AND c.metadata ->> 'step_id' = $3
  )
  SELECT ${CARD_COLUMNS} FROM own c
  UNION ALL
  SELECT ${CARD_COLUMNS} FROM cards c WHERE c.tenant_id = $1 AND c.metadata ->> 'type' = 'tool.result'
    AND c.tool_call_id = ANY (ARRAY(SELECT tool_call_id FROM own WHERE metadata ->> 'type' = 'tool.call'))
    AND NOT EXISTS (SELECT 1 FROM own WHERE own.card_id = c.card_id)`;

type Row = {
  step_id: string;
  ordinal: number;
  request_box_id: string | null;
  request_tokens: number | null;
  request_sha256: string | null;
  bytes: number | null;
  profile_box_id: string;
  agent_id: string;
  deliverable_card_id: string | null;
  is_last: boolean;
  before_ordinal: number | null;
  before_box_id: string | null;
};

/** not_found for an unknown step, and for one of another turn or project. */
export async function readStepSheet(kernel: Kernel, input: StepSheetInput): Promise<StepSheet> {
  const { project_id, agent_turn_id, step_id } = input;
  const ids = [project_id, agent_turn_id, step_id];
  const [row] = await read<Row>(kernel, "step_sheet", STEP, ids);
  if (!row) throw new KernelError("not_found", `turn ${agent_turn_id} has no step ${step_id} in project ${project_id}`);
  const cut = cutTo(input.letters_max ?? LETTERS_MAX);
  const [request, written] = await Promise.all([
    readRequest(kernel, project_id, row, cut),
    read<CardRow>(kernel, "step_written", WRITTEN, ids),
  ]);
  const cards = written.map(toCard).toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const ending = row.is_last && row.deliverable_card_id !== null ? [row.deliverable_card_id] : [];
  const [deliverable] = await getCards(kernel, { project_id, card_ids: ending });
  return {
    agent_turn_id,
    step_id,
    ordinal: row.ordinal,
    ...(request && { request }),
    answer: answerOf(cards, deliverable, cut),
  };
}

/** One text of a request, whole: the system prompt, or the message at a place. */
export async function readStepText(
  kernel: Kernel,
  input: StepSheetInput & { part: "system" | number },
): Promise<{ text: string }> {
  const { request } = await readStepSheet(kernel, { ...input, letters_max: Number.MAX_SAFE_INTEGER });
  const found = input.part === "system" ? request?.system : request?.messages[input.part];
  if (!found) throw new KernelError("not_found", `part: step ${input.step_id} has no message ${input.part}`);
  return { text: found.text };
}

type Cut = (text: string) => StepText;

const cutTo =
  (max: number): Cut =>
  (text) => ({ text: text.length > max ? text.slice(0, max) : text, letters: text.length });

async function readRequest(
  kernel: Kernel,
  project_id: string,
  row: Row,
  cut: Cut,
): Promise<NonNullable<StepSheet["request"]> | null> {
  const { request_box_id, before_box_id, before_ordinal } = row;
  if (request_box_id === null) return null;
  const box_ids = [request_box_id, ...(before_box_id === null ? [] : [before_box_id])];
  const boxes = await readBoxIds(kernel, { project_id, box_ids });
  const now = boxes.get(request_box_id) ?? [];
  const before = new Set(before_box_id === null ? now : boxes.get(before_box_id));
  const dropped = [...before].filter((id) => !now.includes(id));
  const [cards, gone] = await Promise.all([
    getCards(kernel, { project_id, card_ids: now }),
    getCards(kernel, { project_id, card_ids: dropped }),
  ]);
  const prompt = cards.find((card) => card.type === "sys.rendered_prompt");
  const tools = cards.find((card) => card.type === "sys.tools");
  // They may be other cards with the same text, as of earlier versions; only a change of the text counts.
  const was = new Set(gone.map((card) => card.content_hash));
  const isNew = (card: Card | undefined) =>
    before_ordinal !== null && card !== undefined && !before.has(card.card_id) && !was.has(card.content_hash);
  const types = new Map(cards.map((card) => [card.card_id, card.type]));
  const seen = await messagesOf(kernel, project_id, row, cards);
  return {
    request_box_id,
    ...(row.request_tokens !== null && { tokens: row.request_tokens }),
    ...(row.bytes !== null && { bytes: row.bytes }),
    ...(row.request_sha256 !== null && { sha256: row.request_sha256 }),
    system: {
      ...cut(contentText(prompt?.content ?? null)),
      ...(prompt && { card_id: prompt.card_id }),
      tokens: prompt?.token_count ?? 0,
      is_added: isNew(prompt),
    },
    tools: {
      ...(tools && { card_id: tools.card_id }),
      tokens: tools?.token_count ?? 0,
      is_added: isNew(tools),
      offered: offeredIn(tools),
    },
    messages: seen.map(
      (message): SeenMessage => ({
        ...cut(message.text),
        role: message.role,
        tokens: message.tokens,
        cards: message.card_ids.map((card_id) => ({ card_id, type: types.get(card_id) ?? "" })),
        tool_calls: callsOf(message.tool_calls),
        ...(message.pictures && { pictures: message.pictures }),
        ...(message.tool_call_id !== undefined && { tool_call_id: message.tool_call_id }),
        is_added: message.card_ids.some((id) => !before.has(id)),
      }),
    ),
    ...(before_ordinal !== null && {
      before: {
        ordinal: before_ordinal,
        dropped: gone.filter(({ type }) => !type.startsWith("sys.")).map(({ card_id, type }) => ({ card_id, type })),
      },
    }),
  };
}

async function messagesOf(kernel: Kernel, project_id: string, row: Row, cards: Card[]): Promise<Message[]> {
  const bodies = await readBodies(kernel, { project_id, profile_box_ids: [row.profile_box_id] });
  const found = bodies.get(row.profile_box_id);
  if (!found) throw new Error(`profile box ${row.profile_box_id} was read and is gone`);
  const { body, delegation_context: level } = readStored(found);
  const { agent_id } = row;
  const receivers = [{ agent_id, context: cards }];
  const [background] = await readBackgrounds(kernel, { project_id, receivers });
  const agent = { agent_id };
  return assembleMessages({ body, level, agent, memory: [], context: cards, background, output: [], renderer })
    .messages;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function offeredIn(card: Card | undefined): { tool_name: string; description: string }[] {
  const data = card?.content?.kind === "json" ? card.content.data : null;
  const list: unknown[] = isRecord(data) && Array.isArray(data.tools) ? data.tools : [];
  return list
    .filter(isRecord)
    .map((tool) => ({ tool_name: textOf(tool.tool_name), description: textOf(tool.description) }));
}

function callsOf(calls: unknown[] | undefined): SeenMessage["tool_calls"] {
  return (calls ?? []).filter(isRecord).map((call) => {
    const named = isRecord(call.function) ? call.function : {};
    return { id: textOf(call.id), tool_name: textOf(named.name), arguments: textOf(named.arguments) };
  });
}

// --- the answer

function answerOf(cards: Card[], deliverable: Card | undefined, cut: Cut): StepSheet["answer"] {
  const thought = cards.find((card) => card.type === "agent.thought");
  const calls = cards.filter((card) => card.type === "tool.call");
  const results = new Map(cards.filter((card) => card.type === "tool.result").map((card) => [card.tool_call_id, card]));
  const told = new Set([
    "agent.thought",
    "tool.call",
    "tool.result",
    "task.deliverable",
    "sys.rendered_prompt",
    "sys.tools",
  ]);
  const whole = (card: Card) => ({
    ...cut(contentText(card.content)),
    card_id: card.card_id,
    tokens: card.token_count,
  });
  return {
    ...(thought && { thought: whole(thought) }),
    calls: calls.map((card) => callOf(card, results.get(card.tool_call_id), cut)),
    others: cards
      .filter((card) => !told.has(card.type))
      .map((card) => ({ ...cut(contentText(card.content)), card_id: card.card_id, type: card.type })),
    ...(deliverable && { deliverable: whole(deliverable) }),
  };
}

function callOf(card: Card, result: Card | undefined, cut: Cut): StepCall {
  const call = card.content?.kind === "tool_call" ? card.content : null;
  const args = call?.arguments ?? null;
  return {
    tool_call_id: card.tool_call_id ?? "",
    tool_name: call?.tool_name ?? "",
    arguments: cut(typeof args === "string" ? args : JSON.stringify(args, null, 2)),
    card_id: card.card_id,
    ...(result && {
      result: {
        ...cut(contentText(result.content)),
        card_id: result.card_id,
        status: result.content?.kind === "tool_result" ? result.content.status : "success",
        tokens: result.token_count,
        ...(result.content?.kind === "tool_result" && { artifacts: result.content.artifacts }),
      },
    }),
  };
}

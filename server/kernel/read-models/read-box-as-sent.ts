// A box as the model sees it: its cards as messages, assembled by the code that sends them, with the profile of the newest turn
// that reads the box. A list of cards does not show which of them are joined, cut, told as background or never sent.
import type { BoxAsSent, SentMessage } from "@/server/contract/answers/box-as-sent";
import { type Card, contentText } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";
import { ProfileBody } from "@/server/contract/profile";
import { readFirstCards } from "../cardbox/read-first-cards";
import { type Assembled, assembleMessages } from "../context/assemble-messages";
import type { Message } from "../context/message";
import { readBackgrounds } from "../context/read-background";
import type { Kernel } from "../kernel";
import { renderer } from "../provenance/renderer";
import { levelOf } from "../roster/parse-profile";
import { findBodies } from "../roster/read-bodies";
import { readTools } from "../tools/read-tools";
import { type BoxReader, readBoxReader } from "./read-box-reader";

const CARDS_MAX = 2_000;
const BYTES_MAX = 8_000_000;
/** Of all messages together. */
const LETTERS_MAX = 1_000_000;
/** Of one message, and of the arguments of one call: longer ones are read on their card. */
const TEXT_MAX = 16_000;

/** not_found for an unknown box and for one of another project alike. */
export async function readBoxAsSent(
  kernel: Kernel,
  { project_id, box_id }: { project_id: string; box_id: string },
): Promise<BoxAsSent> {
  const limits = { cards_max: CARDS_MAX, bytes_max: BYTES_MAX };
  const [box, cards] = await Promise.all([
    readBoxReader(kernel, { project_id, box_id }),
    readFirstCards(kernel, { project_id, box_id, ...limits }),
  ]);
  const { assembled, isByProfile } = await assemble(kernel, project_id, box, cards);
  const places = new Map(cards.map((card) => [card.card_id, card]));
  const messages = firstMessages(assembled.messages.map((message) => messageOf(message, places)));
  const stored = box.kind === "request" ? cards.find((card) => card.type === "sys.rendered_prompt") : undefined;
  const prompt = stored ? contentText(stored.content) : assembled.system;
  const sent = new Set([...assembled.card_ids, ...(stored ? [stored.card_id] : [])]);
  return {
    box_id,
    kind: box.kind,
    cards: box.length,
    cards_read: cards.length,
    cards_unsent: new Set(cards.flatMap(({ card_id }) => (sent.has(card_id) ? [] : card_id))).size,
    ...(box.reader && isByProfile && { reader: box.reader.turn }),
    ...((stored || isByProfile) && { system: { ...cut(prompt), ...(stored && { card_id: stored.card_id }) } }),
    messages,
    messages_total: assembled.messages.length,
  };
}

async function assemble(
  kernel: Kernel,
  project_id: string,
  { kind, reader }: BoxReader,
  cards: Card[],
): Promise<{ assembled: Assembled; isByProfile: boolean }> {
  // A turn that was imported may have no profile that can be read.
  const bodies = await findBodies(kernel, { project_id, profile_box_ids: reader ? [reader.profile_box_id] : [] });
  const found = reader && bodies.get(reader.profile_box_id);
  const body = found ?? NOBODY;
  const agent = { agent_id: reader?.turn.agent_id ?? "", display_name: reader?.display_name };
  const isOutput = kind === "output";
  const [tools, [background]] = await Promise.all([
    readTools(kernel, { project_id, profile: body }),
    // Nobody's own words could be told from those of others.
    readBackgrounds(kernel, {
      project_id,
      receivers: found && !isOutput ? [{ agent_id: agent.agent_id, context: cards }] : [],
    }),
  ]);
  const assembled = assembleMessages({
    ...{ body, agent, tools, renderer, memory: [] },
    level: levelOf(body.delegation_context, [], kernel.delegationContext),
    context: isOutput ? [] : cards,
    output: isOutput ? cards : [],
    ...(background && { background }),
  });
  return { assembled, isByProfile: Boolean(found) };
}

const NOBODY: ProfileBody = ProfileBody.parse({ name: "nobody" });

const cut = (text: string) => ({ text: text.slice(0, TEXT_MAX), letters: text.length });

function firstMessages(messages: SentMessage[]): SentMessage[] {
  let letters = 0;
  const end = messages.findIndex(({ text, tool_calls }) => {
    letters += text.length + tool_calls.reduce((sum, call) => sum + call.arguments.length, 0);
    return letters > LETTERS_MAX;
  });
  return end < 0 ? messages : messages.slice(0, Math.max(1, end));
}

function messageOf(message: Message, places: ReadonlyMap<string, { type: string; position: number }>): SentMessage {
  const { role, tokens, pictures, tool_call_id } = message;
  return {
    ...cut(message.text),
    role,
    tokens,
    cards: message.card_ids.flatMap((card_id) => {
      const card = places.get(card_id);
      return card ? [{ card_id, type: card.type, position: card.position }] : [];
    }),
    tool_calls: (message.tool_calls ?? []).filter(isRecord).map(callOf),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(pictures && { pictures }),
  };
}

function callOf(call: Record<string, unknown>): SentMessage["tool_calls"][number] {
  const named = isRecord(call.function) ? call.function : {};
  const { text, letters } = cut(textOf(named.arguments));
  return { id: textOf(call.id), tool_name: textOf(named.name), arguments: text, letters };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

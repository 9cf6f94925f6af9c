// What the model sees (docs/design/kernel.md 9): memory, then the context box, then the turn's own output; the first
// occurrence of a card wins. Pure. A dry run and a worker's step both use this, so that what was shown is what is sent.
import { takesPictures } from "@/server/contract/artifact";
import { type Card, picturesIn, picturesWeight, sentText } from "@/server/contract/card";
import type { DelegationFacts } from "@/server/contract/delegation-context";
import type { DelegationContextLevel, LlmConfig, ProfileBody } from "@/server/contract/profile";
import { messageTokens } from "../tokens/sent-tokens";
import { tunables } from "../tunables";
import { cutOutput } from "./cut-output";
import { fillTemplate } from "./fill-template";
import type { Message } from "./message";
import { shownPack } from "./pack-text";
import { pickFacts } from "./pick-facts";
import { type Background, type Draft, tellBackground } from "./tell-background";

/** Texts about the agent's own situation; the product's are in provenance/renderer.ts. */
export type Renderer = {
  /** "" if the receiver or the kind of caller wants none. */
  preamble: (facts: DelegationFacts, level: DelegationContextLevel) => string;
  systemContext: (self: SystemSelf) => string;
};

export type SystemSelf = {
  name: string;
  /** Tools the profile allows. */
  declared: readonly string[];
  /** Tools every agent has. */
  universal: readonly string[];
  is_opted_out: boolean;
};

export type AssembleInput = {
  body: ProfileBody;
  level: DelegationContextLevel;
  agent: { agent_id: string; display_name?: string | null };
  /** Cards of the output box from before this turn. */
  memory: readonly Card[];
  context: readonly Card[];
  /** Cards of the context that another agent wrote: sent as background, never in the agent's own voice. */
  background?: Background;
  /** What this turn itself has written. */
  output: readonly Card[];
  renderer: Renderer;
  tools?: { declared: readonly string[]; universal: readonly string[] };
  /** Besides display_name, agent_id, profile_name and description. */
  placeholders?: Record<string, string>;
};

export type Assembled = { system: string; messages: Message[]; card_ids: string[] };

export function assembleMessages(input: AssembleInput): Assembled {
  const background = new Map(input.background);
  // The preamble of the task says who set it.
  background.delete(input.context.findLast((card) => card.type === "task.instruction")?.card_id ?? "");
  const context = backgroundFirst(input.context, background);
  const cards = firstOccurrences([...input.memory, ...context, ...input.output]);
  const system = systemPrompt(input, cards);
  const messages = tellBackground(draftsOf(cards, preambleOf(input, cards), input.body.llm_config), background);
  return {
    system,
    messages,
    card_ids: messages.flatMap((m) => m.card_ids),
  };
}

/** Without results that another one replaces: providers refuse two answers to one call. */
function firstOccurrences(cards: readonly Card[]): Card[] {
  const seen = new Set<unknown>(cards.flatMap((card) => card.metadata.supersedes ?? []));
  return cards.filter((card) => !seen.has(card.card_id) && seen.add(card.card_id));
}

/** What others wrote comes before the task, wherever the recipe put it: nothing may come between the task and the answer. */
function backgroundFirst(context: readonly Card[], background: Background): readonly Card[] {
  const at = context.findLastIndex((card) => card.type === "task.instruction");
  const late = context.slice(at + 1).filter((card) => background.has(card.card_id));
  if (at < 0 || late.length === 0) return context;
  const rest = context.slice(at).filter((card) => !late.includes(card));
  return [...context.slice(0, at), ...late, ...rest];
}

// --- system prompt

function systemPrompt(input: AssembleInput, cards: readonly Card[]): string {
  const { body, agent } = input;
  const name = agent.display_name || body.name;
  const values = {
    display_name: name,
    agent_id: agent.agent_id,
    profile_name: body.name,
    description: body.description ?? "",
    ...input.placeholders,
  };
  const prompt = fillTemplate(body.system_prompt_template ?? body.system_prompt ?? "", values).trim();
  const context = input.renderer.systemContext({
    name,
    declared: input.tools?.declared ?? body.allowed_tools ?? [],
    universal: input.tools?.universal ?? [],
    is_opted_out: input.level === "off",
  });
  return [prompt, context, resultFields(body, cards)].filter((part) => part !== "").join("\n\n");
}

/** The fields a result must have. The latest list wins; without one, the profile's own is used. */
export function requiredFields(body: ProfileBody, cards: readonly Card[]): { name: string; description: string }[] {
  const content = cards.findLast((c) => c.type === "task.result_fields")?.content;
  return content?.kind === "fields_schema" ? content.fields : (body.result_fields ?? []);
}

function resultFields(body: ProfileBody, cards: readonly Card[]): string {
  const fields = requiredFields(body, cards);
  if (fields.length === 0) return "";
  const lines = fields.map((f) => `- ${f.name}: ${f.description}`);
  return ["## Required result fields", "Deliver every one of these, under exactly these names:", ...lines].join("\n");
}

// --- messages

type Preamble = { text: string; facts_card_id: string; instruction_card_id: string };

/** If there are several delegation contexts (a reused agent), only the newest is sent, with the instruction after it. */
function preambleOf(input: AssembleInput, cards: readonly Card[]): Preamble | null {
  const at = cards.findLastIndex((c) => c.type === "meta.delegation_context");
  const card = cards[at];
  const instruction = cards.slice(at + 1).find((c) => c.type === "task.instruction");
  if (!card || !instruction) return null;
  const facts = pickFacts(card.content, { agent_id: input.agent.agent_id, instruction });
  if (!facts) return null;
  const text = input.renderer.preamble(facts, input.level);
  return text === "" ? null : { text, facts_card_id: card.card_id, instruction_card_id: instruction.card_id };
}

function draftsOf(cards: readonly Card[], preamble: Preamble | null, llm_config: LlmConfig): Draft[] {
  const isSeeing = takesPictures(llm_config);
  const announced = new Set(cards.flatMap((c) => callIds(c.tool_calls)));
  const edits = new Map(cards.filter(isEdit).map((card) => [card.tool_call_id, card]));
  return cards.flatMap((card) => {
    if (!isMessage(card)) return [];
    // The thought that made the call already contains it.
    if (card.type === "tool.call" && card.tool_call_id !== undefined && announced.has(card.tool_call_id)) return [];
    const message = messageOf(card, { isSeeing, llm_config });
    const draft = (more: Partial<Message>): Draft[] => [{ card, message: { ...message, ...more } }];
    const edit = card.type === "tool.result" ? edits.get(card.tool_call_id) : undefined;
    if (edit) {
      const text = `${editWords(edit)}\n\n${message.text}`;
      const tokens = messageTokens(text, message.tool_calls) + picturesWeight(message.pictures ?? []);
      return draft({ text, card_ids: [edit.card_id, card.card_id], tokens });
    }
    if (card.card_id !== preamble?.instruction_card_id) return draft({});
    const text = `${preamble.text}\n\n${message.text}`;
    const card_ids = [preamble.facts_card_id, card.card_id];
    return draft({ text, card_ids, tokens: messageTokens(text, message.tool_calls) });
  });
}

/**
 * A person approved the call with other arguments: without this, the model would take the result for that of its own
 * arguments.
 */
const isEdit = (card: Card): boolean => card.type === "meta.approved_call" && card.metadata.is_edited === true;

function editWords({ content, metadata }: Card): string {
  const args = content?.kind === "tool_call" ? JSON.stringify(content.arguments) : "{}";
  return `[${textOf(metadata.decided_by) ?? "A person"} approved this call with other arguments: ${args}]`;
}

// Providers refuse system messages between others, so text about the conversation is never a message of it. Neither is a
// partial answer: a reused agent took half a sentence for its own finished answer.
function isMessage({ type, metadata }: Card): boolean {
  if (metadata.is_partial === true) return false;
  if (type === "sys.must_end_with_required") return true;
  return !type.startsWith("meta.") && !type.startsWith("sys.") && type !== "task.result_fields";
}

function messageOf(card: Card, { isSeeing, llm_config }: { isSeeing: boolean; llm_config: LlmConfig }): Message {
  const base = { role: card.role, card_ids: [card.card_id] };
  const call_id = card.tool_call_id ?? textOf(card.metadata.tool_call_id);
  // A position is never empty, or positions and answers to calls would shift.
  if (card.gone) {
    const text = `[content ${card.gone}]`;
    // Providers refuse a result whose call they never saw.
    const call = { id: call_id, type: "function", function: { name: `content_${card.gone}`, arguments: "{}" } };
    const tool_calls = card.type === "tool.call" && call_id !== undefined ? [call] : undefined;
    return {
      ...base,
      text,
      tokens: messageTokens(text, tool_calls),
      ...(tool_calls && { role: "assistant", tool_calls }),
      ...(card.role === "tool" && call_id && { tool_call_id: call_id }),
    };
  }
  const text = shownPack(card, llm_config) ?? sentText(card.content);
  if (card.type === "sys.must_end_with_required") return { ...base, role: "user", text, tokens: messageTokens(text) };
  if (card.type === "tool.call" && card.content?.kind === "tool_call") {
    const { tool_name, arguments: args } = card.content;
    const call = { id: call_id, type: "function", function: { name: tool_name, arguments: JSON.stringify(args) } };
    return { ...base, role: "assistant", text: "", tokens: messageTokens("", [call]), tool_calls: [call] };
  }
  const said = card.type === "tool.result" ? cutOutput(text, card.card_id, tunables.toolOutputCharsMax) : text;
  const pictures = isSeeing ? picturesIn(card.content) : [];
  return {
    ...base,
    text: said,
    tokens: isWeighed(card, said) ? card.token_count : messageTokens(said, card.tool_calls) + picturesWeight(pictures),
    ...(pictures.length > 0 && { pictures }),
    ...(card.tool_calls && { tool_calls: card.tool_calls }),
    ...(card.metadata.model_state !== undefined && { model_state: card.metadata.model_state }),
    ...(card.role === "tool" && call_id && { tool_call_id: call_id }),
  };
}

/** A plain text has the weight of its card; counting every message again at every step took as long as everything else. */
const isWeighed = ({ content, tool_calls, type }: Card, said: string): boolean =>
  content?.kind === "text" && said === content.text && tool_calls === undefined && type !== "meta.delegation_context";

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function callIds(calls: unknown[] | undefined): string[] {
  return (calls ?? []).flatMap((call) =>
    call !== null && typeof call === "object" && "id" in call && typeof call.id === "string" ? [call.id] : [],
  );
}

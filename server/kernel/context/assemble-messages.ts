// What the model sees (docs/design/kernel.md 9): memory, then the context box, then the turn's own output; the first occurrence of a
// card wins. Pure. A dry run and a worker's step come through here, so that what was shown is what is sent.
import { takesPictures } from "@/server/contract/artifact";
import { type Card, contentText, picturesIn, picturesWeight } from "@/server/contract/card";
import { DelegationFacts } from "@/server/contract/delegation-context";
import type { DelegationContextLevel, ProfileBody } from "@/server/contract/profile";
import { messageTokens } from "../tokens/sent-tokens";
import { tunables } from "../tunables";
import { cutOutput } from "./cut-output";
import { fillTemplate } from "./fill-template";
import type { Message } from "./message";
import { type Background, type Draft, tellBackground } from "./tell-background";

/** The texts about the agent's own situation; provenance/renderer.ts holds the product's. */
export type Renderer = {
  /** "" when the receiver or the kind of caller asks for none. */
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
  /** Those of the context that another agent wrote: they are told of, never said in the agent's own voice. */
  background?: Background;
  /** What this turn itself has written. */
  output: readonly Card[];
  renderer: Renderer;
  tools?: { declared: readonly string[]; universal: readonly string[] };
  /** Beside display_name, agent_id, profile_name and description. */
  placeholders?: Record<string, string>;
};

export type Assembled = { system: string; messages: Message[]; card_ids: string[] };

export function assembleMessages(input: AssembleInput): Assembled {
  const background = new Map(input.background);
  // The task says in its preamble who set it.
  background.delete(input.context.findLast((card) => card.type === "task.instruction")?.card_id ?? "");
  const context = backgroundFirst(input.context, background);
  const cards = firstOccurrences([...input.memory, ...context, ...input.output]);
  const system = systemPrompt(input, cards);
  const messages = tellBackground(
    draftsOf(cards, preambleOf(input, cards), takesPictures(input.body.llm_config)),
    background,
  );
  return {
    system,
    messages,
    card_ids: messages.flatMap((m) => m.card_ids),
  };
}

/** Without results that another one stands in the place of: a provider refuses two answers to one call. */
function firstOccurrences(cards: readonly Card[]): Card[] {
  const seen = new Set<unknown>(cards.flatMap((card) => card.metadata.supersedes ?? []));
  return cards.filter((card) => !seen.has(card.card_id) && seen.add(card.card_id));
}

/** What others wrote is read before the task, wherever the recipe put it: nothing stands between the task and the answer. */
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

/** What a result must give. The latest list wins; the profile's own stands in for none. */
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

/** Of several delegation contexts (an agent used again) only the newest is told, with the instruction that follows it. */
function preambleOf(input: AssembleInput, cards: readonly Card[]): Preamble | null {
  const at = cards.findLastIndex((c) => c.type === "meta.delegation_context");
  const card = cards[at];
  if (card?.content?.kind !== "json") return null;
  const facts = DelegationFacts.safeParse(card.content.data);
  const instruction = cards.slice(at + 1).find((c) => c.type === "task.instruction");
  if (!facts.success || !instruction) return null;
  const text = input.renderer.preamble(facts.data, input.level);
  return text === "" ? null : { text, facts_card_id: card.card_id, instruction_card_id: instruction.card_id };
}

function draftsOf(cards: readonly Card[], preamble: Preamble | null, isSeeing: boolean): Draft[] {
  const announced = new Set(cards.flatMap((c) => callIds(c.tool_calls)));
  const edits = new Map(cards.filter(isEdit).map((card) => [card.tool_call_id, card]));
  return cards.flatMap((card) => {
    if (!isMessage(card.type)) return [];
    // The thought that made the call carries it already.
    if (card.type === "tool.call" && card.tool_call_id !== undefined && announced.has(card.tool_call_id)) return [];
    const message = messageOf(card, isSeeing);
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

/** A person approved of the call with other arguments: the model would take the result for that of its own. */
const isEdit = (card: Card): boolean => card.type === "meta.approved_call" && card.metadata.is_edited === true;

function editWords({ content, metadata }: Card): string {
  const args = content?.kind === "tool_call" ? JSON.stringify(content.arguments) : "{}";
  return `[${textOf(metadata.decided_by) ?? "A person"} approved this call with other arguments: ${args}]`;
}

// Providers refuse system messages between others, so what is about the conversation is never a message of it.
function isMessage(type: string): boolean {
  if (type === "sys.must_end_with_required") return true;
  return !type.startsWith("meta.") && !type.startsWith("sys.") && type !== "task.result_fields";
}

function messageOf(card: Card, isSeeing: boolean): Message {
  const base = { role: card.role, card_ids: [card.card_id] };
  const call_id = card.tool_call_id ?? textOf(card.metadata.tool_call_id);
  // A place is never empty, or positions and answers to calls would shift.
  if (card.gone) {
    const text = `[content ${card.gone}]`;
    return {
      ...base,
      text,
      tokens: messageTokens(text),
      ...(card.role === "tool" && call_id && { tool_call_id: call_id }),
    };
  }
  const text = contentText(card.content);
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

/** A plain text weighs what it did as a card; counting every message anew at every step took as long as the rest of it. */
const isWeighed = ({ content, tool_calls, type }: Card, said: string): boolean =>
  content?.kind === "text" && said === content.text && tool_calls === undefined && type !== "meta.delegation_context";

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function callIds(calls: unknown[] | undefined): string[] {
  return (calls ?? []).flatMap((call) =>
    call !== null && typeof call === "object" && "id" in call && typeof call.id === "string" ? [call.id] : [],
  );
}

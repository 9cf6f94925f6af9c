// The interface between a turn and its model. A model gets everything it needs in one request and answers as a stream, so
// that a vendor's streaming client, a local model and a script look the same to the loop.
import type { Card } from "@/server/contract/card";
import type { TurnCode } from "@/server/contract/failure-codes";
import type { LlmConfig } from "@/server/contract/profile";
import type { Message } from "@/server/kernel/context/message";

export type ModelMessage = Pick<Message, "role" | "text" | "tool_calls" | "tool_call_id" | "model_state" | "pictures">;

/** The bytes of pictures, by digest. */
export type PictureBytes = ReadonlyMap<string, { mime: string; bytes: Uint8Array }>;

export type ModelTool = { tool_name: string; description: string; parameters: Record<string, unknown> };

export type ModelRequest = {
  system: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  llm_config: LlmConfig;
  /** Pictures that messages refer to. A missing one is only mentioned in words. */
  pictures?: PictureBytes;
  /** A vendor's model may ignore this: `messages` contains all of it. */
  turn: { display_name: string; instruction: string; context_box_id: string; output_box_id: string; own_cards: Card[] };
};

/** As the provider reports it. Input includes tokens read from or written to a cache; output includes reasoning. */
export type ModelUsage = {
  input_tokens?: number;
  output_tokens?: number;
  cached_input_tokens?: number;
  cache_write_tokens?: number;
  reasoning_tokens?: number;
  /** Made up by the scripted model. */
  is_scripted?: true;
  /** US dollars: what the provider billed, else by the table of contract/models.ts; left out when neither is known. */
  cost?: number;
};

/** `arguments` as the model wrote them; the loop checks whether they are JSON. */
export type ModelToolCall = { provider_call_id?: string; tool_name: string; arguments: string };

export type ModelEvent =
  /** Shown on the turn while it lasts, and not stored. */
  | { kind: "note"; note: string }
  /** A piece of the text to come; the answer repeats the whole. */
  | { kind: "delta"; text: string }
  /** A piece of what it thinks on the way to it. */
  | { kind: "reasoning"; text: string }
  /** The connection broke and the request is sent again: all earlier pieces are void. */
  | { kind: "restart" }
  /** Exactly one, and the last. */
  | {
      kind: "answer";
      text: string;
      tool_calls: ModelToolCall[];
      /** Said something and wants to be called again, without calling a tool. */
      is_unfinished: boolean;
      usage?: ModelUsage;
      /** Kept with the answer's card: what the model needs to find again (signatures, positions). */
      metadata?: Record<string, unknown>;
    };
export type ModelAnswer = Extract<ModelEvent, { kind: "answer" }>;

export type Model = {
  /** The request as it is sent by `call`, byte for byte; it is kept and hashed before it is. */
  serialise: (request: ModelRequest) => string | Promise<string>;
  /** Rejects with ModelError if the turn cannot continue, and with the signal's reason as soon as that is aborted. */
  call: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
};

/** This request was refused for its form, and has to be written again in another form. */
export class AskedOtherwise extends Error {}

/** The turn fails with this code and message. */
export class ModelError extends Error {
  constructor(
    readonly code: TurnCode,
    message: string,
    /** An answer that cannot be used is billed all the same. */
    readonly usage?: ModelUsage,
    /** The text before an answer ended too early: kept with the turn, and marked as partial. */
    readonly partial?: { text: string; metadata: Record<string, unknown> },
  ) {
    super(message);
    this.name = "ModelError";
  }
}

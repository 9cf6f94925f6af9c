// Packing a hand-over: the recipe, the receipt and the answer (docs/design/kernel.md 5).

import * as z from "zod";
import type { ArtifactRef } from "./artifact";
import { type Card, GivenMetadata } from "./card";
import { Id } from "./ids";

const argNames = z.array(z.string().min(1, "an argument name is not empty"));

export const PackRule = z.strictObject({
  arg_key: z.string().min(1),
  as_card_type: z.string().min(1).max(64).default("task.instruction"),
  card_metadata: GivenMetadata.default({}),
});
export type PackRule = z.infer<typeof PackRule>;

export const Handover = z.strictObject({
  target_profile_config: z.strictObject({ profile_name: z.string() }).optional(),
  context_packing_config: z
    .strictObject({
      // Objects only; a rule of any other type is refused with its path.
      pack_arguments: z.array(PackRule).default([]),
      inherit_context: z
        .strictObject({
          include_boxes_from_args: argNames.default([]),
          include_cards_from_args: argNames.default([]),
          /** Arguments that are ordered lists of {box_id} or {card_id}. They come after the boxes and cards above. */
          include_from_args: argNames.default([]),
          include_parent: z.boolean().default(false),
          include_types: z.array(z.string()).optional(),
          exclude_types: z.array(z.string()).optional(),
          redact: z.boolean().default(false),
        })
        .prefault({}),
      order: z.enum(["arguments_first", "inherited_first"]).default("arguments_first"),
    })
    .prefault({}),
  metadata: z.record(z.string(), z.json()).optional(),
});
export type Handover = z.infer<typeof Handover>;
/** As a client writes it: fields with a default are optional. */
export type HandoverInput = z.input<typeof Handover>;

export const PackInput = z.strictObject({
  source_agent_id: Id,
  tool_suffix: z.string().min(1).max(128),
  arguments: z.record(z.string(), z.unknown()),
  // null and absent are refused with a remedy, not with a shape error.
  handover: z.unknown(),
  dry_run: z.boolean().default(false),
});
export type PackInput = z.infer<typeof PackInput>;

/** included: in the new box. withheld: kept out by the recipe. duplicate: already in the box. redacted: passed as a copy. */
export type Verdict = "included" | "withheld" | "duplicate" | "redacted";

/**
 * One line describes one card, or a run of neighbours that passed unchanged (`from`..`to`, positions in `box_id`).
 * Lines are in the order of the new box; those of cards left out follow the source's order.
 */
export type ReceiptLine = {
  verdict: Verdict;
  /** arg:<name> | box:<id> | card | pack | ptr | sys */
  origin: string;
  box_id?: string;
  from?: number;
  to?: number;
  card_id?: string;
  cards: number;
  tokens: number;
  reason?: string;
};

export type Receipt = {
  lines: ReceiptLine[];
  included_cards: number;
  included_tokens: number;
  left_out_cards: number;
  order: "arguments_first" | "inherited_first";
  /** sha256 of the handed-over cards in order: inherited ones by id, packed ones by content. Dry run and launch agree. */
  hash: string;
  /** The saved recipe it was packed with. Absent = the built-in one, or rules of its own. */
  recipe?: { name: string; version: number };
};

/** The first request that a launch would send. */
export type Rendered = {
  system: string;
  messages: { role: string; text: string; card_ids: string[]; tokens: number; pictures?: ArtifactRef[] }[];
  tools: { tool_name: string; description: string; parameters: Record<string, unknown> }[];
  /** Estimated: prompt, tool definitions and messages. */
  tokens: number;
  /** Of the tool definitions alone. */
  tools_tokens: number;
  /** Null = unknown. */
  window_tokens: number | null;
  /** MCP servers whose tools no worker has listed yet. They are not in `tools`. */
  unasked_servers: string[];
};

/** What the first request would weigh, without its texts. */
export type Weighed = Pick<Rendered, "tokens" | "tools_tokens" | "window_tokens" | "unasked_servers">;

export type PackResult = {
  /** Absent in a dry run. */
  context_box_id?: string;
  target_profile_box_id: string;
  card_ids: string[];
  receipt: Receipt;
  /** Only in a dry run: the cards in the order they would be packed, including new ones. */
  preview?: (Pick<Card, "card_id" | "type" | "role" | "token_count"> & {
    origin: string;
    text: string;
    is_new: boolean;
  })[];
  rendered?: Rendered;
};

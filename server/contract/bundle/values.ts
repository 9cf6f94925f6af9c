// What the fields of a bundle's lines hold where they are no id, figure or word of a list: names, texts and values of JSON, each with
// its bound. How deep a value may be, and what no database stores, is checked for a line as a whole.
import * as z from "zod";
import { INT_MAX } from "../bounds";

const NAME_MAX = 1_024;
/** Above every text that the product takes. */
const TEXT_MAX = 4_194_304;

const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Shown beside other names in lists, where one sign can turn round all that follows. Not a regex: what has a form is not redacted. */
export const Name = z
  .string()
  .max(NAME_MAX)
  .refine((name) => !HIDDEN.test(name), "a name has no line breaks, control characters or signs that turn text round");
export const Text = z.string().max(TEXT_MAX);
/** Any JSON value, null included. */
export const Json = z.unknown();
export const JsonObject = z.record(z.string().max(TEXT_MAX), Json);

// Values whose members pages and frames read. Loose: a version that knows more of them writes more.
const figure = z.int().min(0).optional();
export const Usage = z.looseObject({
  input_tokens: figure,
  output_tokens: figure,
  cached_input_tokens: figure,
  cache_write_tokens: figure,
  reasoning_tokens: figure,
  is_scripted: z.boolean().optional(),
});
const count = z.int().min(0).max(INT_MAX);
const ReceiptLine = z.looseObject({
  verdict: z.enum(["included", "withheld", "duplicate", "redacted"]),
  origin: Name,
  box_id: Name.optional(),
  from: count.optional(),
  to: count.optional(),
  card_id: Name.optional(),
  cards: count,
  tokens: count,
  reason: Text.optional(),
});
export const Receipt = z.looseObject({
  lines: z.array(ReceiptLine),
  included_cards: count,
  included_tokens: count,
  left_out_cards: count,
  order: z.enum(["arguments_first", "inherited_first"]),
  hash: Name,
  recipe: z.looseObject({ name: Name, version: count }).optional(),
});
const Swap = z.looseObject({ card_id: Name, with: Name.optional() });
export const ForkedFrom = z.looseObject({
  agent_turn_id: Name,
  root_turn_id: Name,
  headcode: Name,
  step_id: Name,
  ordinal: z.int().min(0).max(INT_MAX),
  replaced: z.array(Swap).max(10_000).optional(),
  dropped: z.array(Name).max(10_000).optional(),
  followed: z.array(Swap).max(10_000).optional(),
});
export const Mark = z.looseObject({ kind: Name.optional(), card_id: Name.optional(), reason: Text.optional() });
export const Question = z.looseObject({ question: Text, details: Text.optional() });
export const Result = z.looseObject({
  summary: Text.optional(),
  error: Text.optional(),
  output_box_id: Name.optional(),
});
export const TaskFacts = z.looseObject({
  title: Text.optional(),
  profile_name: Name.optional(),
  target_strategy: z.enum(["new", "reuse", "clone"]).optional(),
  earlier: z.array(JsonObject).max(10_000).optional(),
});

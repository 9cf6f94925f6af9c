// What the fields of a bundle's lines hold where they are no id, figure or word of a list: names, texts and values of JSON, each with
// its bound. How deep a value may be, and what no database stores, is checked for a line as a whole.
import * as z from "zod";

const NAME_MAX = 1_024;
/** Above every text that the product takes. */
const TEXT_MAX = 4_194_304;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Shown beside other names in lists, where one sign can turn round all that follows. Not a regex: what has a form is not redacted. */
export const Name = z
  .string()
  .max(NAME_MAX)
  .refine((name) => !HIDDEN.test(name), "a name has no line breaks, control characters or signs that turn text round");
export const Text = z.string().max(TEXT_MAX);
/** Any JSON value, null included. */
export const Json = z.unknown();
export const JsonObject = z.record(z.string().max(TEXT_MAX), Json);

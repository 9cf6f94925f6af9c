// Whether a text has more bytes than a plan may have. Asked before anything reads the text: a browser that parses 10 MiB stands still.
import { PLAN_BYTES_MAX } from "./plan";

/** A character is at most three bytes and at least one, so few texts need a count. */
export const isTooLarge = (text: string): boolean =>
  text.length > PLAN_BYTES_MAX ||
  (text.length * 3 > PLAN_BYTES_MAX && new TextEncoder().encode(text).length > PLAN_BYTES_MAX);

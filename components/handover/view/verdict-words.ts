// What the hand-over did with a card: the word on its filter, and the sentence that says what it means.
import type { HandoverVerdict } from "@/server/contract/handover-diff";

export const verdictNames: Record<HandoverVerdict, string> = {
  passed: "Passed",
  passed_unseen: "Passed unseen",
  added: "Added",
  rewritten: "Rewritten",
  redacted: "Redacted",
  left_out: "Left out",
  withheld: "Withheld",
  trimmed: "Trimmed",
  not_sent: "Not sent",
  memory: "Memory",
};

export const verdictSentences: Record<HandoverVerdict, string> = {
  passed: "The caller had this card, and the callee saw it.",
  passed_unseen: "It was in a box that was handed over. The caller's own model was never sent it.",
  added: "Made for this hand-over.",
  rewritten: "The callee saw a changed copy of the caller's card.",
  redacted: "The callee saw a copy without its secrets.",
  left_out: "It was in a box that was handed over, and was left out.",
  withheld: "The caller had it. It was in no box that was handed over.",
  trimmed: "It was a source of the context pack, and over its budget.",
  not_sent: "It is in the callee's context. A card of this type is never sent as a message.",
  memory: "The callee's agent wrote it earlier. It is not part of this hand-over.",
};

/** As the filters stand. Losses come first, because what got lost is what people look for; then what changed, then what passed. */
export const verdictOrder: readonly HandoverVerdict[] = [
  "withheld",
  "left_out",
  "trimmed",
  "not_sent",
  "passed_unseen",
  "rewritten",
  "redacted",
  "added",
  "passed",
  "memory",
];

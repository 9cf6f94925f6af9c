// How a card carries the words before it, and where their path ends. Facts about text: never that one caused the other.
import type { BlameEnd, BlameEvidence } from "@/server/contract/blame";

export const evidenceWords: Record<BlameEvidence, string> = {
  exact: "carries the same words",
  value: "carries the same value",
  parts: "carries parts of the words",
  near: "carries nearly the same words",
  join: "is the deliverable that was summed up",
  copy: "is the original of the copy",
  env_data: "stored the value",
};

/** A share is told only where words were compared and not all were found. */
export const coverageText = (coverage: number): string | null =>
  coverage >= 1 ? null : `${Math.floor(coverage * 100)} %`;

export const endWords: Record<BlameEnd, string> = {
  human: "A person wrote it.",
  tool: "A tool answered it.",
  profile: "It is in a profile's prompt or tools.",
  import: "It was imported, and no turn wrote it.",
  env_data: "It was stored as environment data.",
  file: "A context pack quotes it from a file.",
  given: "It was put into the project from outside.",
  switchyard: "Switchyard wrote it.",
  first_said: "First said here: nothing that its author was sent carries the words.",
  nowhere: "No card of the run carries the words.",
  cycle: "The path came back to a card it had passed.",
  limit: "Stopped here: the path is longer than is followed.",
};

// Who said what to whom, in words: "Planner asked Researcher".
import { isPerson, personName } from "@/components/domain/agent-names";
import type { TranscriptLine } from "@/server/contract/answers/transcript";
import type { Role } from "@/server/contract/card";

export type LineWords = { from: string; verb: string; to?: string };

export function lineWords(line: TranscriptLine): LineWords {
  const from = line.by === undefined ? nameOf(line.from, line.from_name) : personName(line.by);
  const to = line.to === undefined ? undefined : nameOf(line.to, line.to_name);
  switch (line.kind) {
    case "asked":
      return from === "" ? { from: to ?? "", verb: "was asked" } : { from, verb: "asked", to };
    case "answered":
      return to === undefined ? { from, verb: "said" } : { from, verb: "answered", to };
    case "failed":
      return {
        from,
        verb: "ended without an answer",
        ...(to !== undefined && { verb: "ended without an answer to", to }),
      };
    case "asked_person":
      return { from, verb: "asked", to: "a person" };
    case "person_answered":
      return { from, verb: "answered", to };
    case "called":
      return { from, verb: "called", to: line.tool_name };
    case "result":
      return { from: line.tool_name ?? "A tool", verb: "returned to", to: from };
    default:
      return { from, verb: "said" };
  }
}

/** For a screen reader, and as the name of the line. */
export function spokenLine(line: TranscriptLine): string {
  const { from, verb, to } = lineWords(line);
  const status = line.kind === "result" && line.status !== undefined ? `, ${line.status}` : "";
  return `${[from, verb, to].filter(Boolean).join(" ")}${status}${line.mistake === undefined ? "" : ", named as the mistake"}`;
}

const nameOf = (id: string | undefined, name: string | undefined): string => {
  if (id === undefined) return "";
  return isPerson({ agent_id: id }) ? personName(id) : (name ?? id);
};

/** A call and its result are one line until they are opened. */
export const isFoldedLine = ({ kind }: TranscriptLine): boolean => kind === "called" || kind === "result";

export const roleOf = ({ kind }: TranscriptLine): Role =>
  kind === "asked" || kind === "person_answered" ? "user" : kind === "result" ? "tool" : "assistant";

// What an agent asks people: a question, or approval of a call. The first decision counts.
import type { HumanRequestKind, Question } from "./asking";
import type { HumanRequestFrame } from "./frame";
import type { TurnRef } from "./line";
import type { Page } from "./page";
import type { ChainLink } from "./turn";

/** A full request. `edited_arguments` only if a person changed the model's arguments. */
export type HumanRequest = Omit<HumanRequestFrame, "id" | "title" | "kind" | "request_kind"> & {
  kind: HumanRequestKind;
  request_id: string;
  question?: Question;
  choices?: string[];
  arguments?: unknown;
  /** JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
  answer?: string;
  edited_arguments?: Record<string, unknown>;
};

/** With who asks, and the chain of turns from the human to the asking turn. */
export type HumanRequestLine = HumanRequest & { turn: TurnRef; display_name?: string; chain: ChainLink[] };
/** `live_cursor` matches the lines: a frame after it means a change. `open_count` covers the whole project. */
export type HumanRequestPage = Page<HumanRequestLine> & { live_cursor: string; open_count: number };

/** "ann approved it with other arguments" */
export function decisionWords(request: Pick<HumanRequest, "status" | "decided_by" | "is_edited">): string {
  const by = request.decided_by ?? "somebody";
  if (request.status === "open") return "open";
  if (request.status === "answered") return `${by} answered it`;
  if (request.status === "approved")
    return request.is_edited ? `${by} approved it with other arguments` : `${by} approved it`;
  if (request.status === "denied") return `${by} denied it`;
  return request.status === "expired" ? "it timed out" : "its turn ended first";
}

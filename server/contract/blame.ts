// Where words come from: what is asked, and the path that is found, card by card.
import * as z from "zod";
import { INT_MAX } from "./bounds";
import { Id } from "./ids";

/** Characters of a selection. */
export const SELECTION_MAX = 100_000;

const offset = z.int().min(0).max(INT_MAX);

/** A card, or a stretch of its text (as `contentText` writes it, in UTF-16 units); or a text of a run. */
export const BlameBody = z
  .strictObject({
    card_id: Id.optional(),
    start: offset.optional(),
    end: offset.optional(),
    text: z.string().min(1).max(SELECTION_MAX).optional(),
    root_turn_id: Id.optional(),
  })
  .superRefine((body, check) => {
    const refuse = (path: string, message: string): void => check.addIssue({ code: "custom", path: [path], message });
    const { card_id, start, end, text, root_turn_id } = body;
    if (card_id === undefined && text === undefined)
      return refuse("card_id", "is missing. Name a card, or give text and root_turn_id");
    if (card_id !== undefined && text !== undefined)
      return refuse("text", "does not go with card_id. Give start and end to choose words of the card");
    if (text !== undefined && root_turn_id === undefined)
      return refuse("root_turn_id", "is missing. Name the run in which to look for the text");
    if (card_id !== undefined && root_turn_id !== undefined)
      return refuse("root_turn_id", "goes with text only. A card knows its run");
    if (text !== undefined && (start ?? end) !== undefined)
      return refuse(start === undefined ? "end" : "start", "goes with card_id only. Give only the words you look for");
    if (end !== undefined && end <= (start ?? 0)) return refuse("end", "must be greater than start");
    if (end !== undefined && end - (start ?? 0) > SELECTION_MAX)
      return refuse("end", `select at most ${SELECTION_MAX} characters`);
  });
export type BlameBody = z.infer<typeof BlameBody>;

/**
 * What connects a card to the one before it in the path. Words: `exact`, `value`, `parts`, `near`. Records: `join` (the
 * deliverable that a result sums up), `copy` (the original of a redacted or edited card), `env_data` (the call that stored the
 * value). A card that was handed on as it is needs no hop: it names its writer itself.
 */
export const blameEvidence = ["exact", "value", "parts", "near", "join", "copy", "env_data"] as const;
export type BlameEvidence = (typeof blameEvidence)[number];

/**
 * Where the path ends. `given`: put into the project from outside. `first_said`: nothing its author was sent carries the
 * words. `switchyard`: a text of Switchyard itself. `nowhere`: no card of the run carries the text. `cycle`, `limit`: stopped.
 */
export const blameEnds = [
  "human",
  "tool",
  "profile",
  "import",
  "env_data",
  "file",
  "given",
  "switchyard",
  "first_said",
  "nowhere",
  "cycle",
  "limit",
] as const;
export type BlameEnd = (typeof blameEnds)[number];

export type BlameRange = { start: number; end: number };

/** `range` spans all `ranges`. `words` are the first 300 characters of them. */
export type BlamePlace = {
  card_id: string;
  type: string;
  author_id: string;
  tokens: number;
  created_at: string;
  range: BlameRange;
  ranges: BlameRange[];
  words: string;
  /** The turn that wrote it, or made the call that handed it over. */
  agent_turn_id?: string;
  step_id?: string;
};
/** Share of the words before it, from 0 to 1. What a record proves counts as 1. */
type Carried = { evidence: BlameEvidence; coverage: number };
export type BlameHop = BlamePlace &
  Carried & {
    headcode?: string;
    profile_name?: string;
    /** The next best cards, at most four. */
    others: (BlamePlace & Carried)[];
    /** How many cards carry the words, this one and those of `others` among them. */
    found: number;
  };

export type BlameAnswer = {
  /** Absent when the words were given as text. */
  start?: BlamePlace;
  hops: BlameHop[];
  end: BlameEnd;
  /** Of the end `file`: the path that the context pack names. */
  file?: string;
  /** True if something was not looked at. */
  is_partial: boolean;
  looked_at: { cards: number; turns: number };
};

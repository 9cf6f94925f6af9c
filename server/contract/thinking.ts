// What a model says before its answer is there. It is sent while it lasts and stored nowhere: pieces may be lost, since the
// card that follows holds the whole, and a reader who came late or missed one is sent everything again.

export type ThinkingPart = "text" | "reasoning";

export type ThinkingPiece = {
  agent_turn_id: string;
  /** A worker that lost the turn may still be talking. */
  turn_epoch: number;
  step_id: string;
  /** Within the epoch; what comes out of order is old. */
  seq: number;
  /** The connection broke and the model was asked again: what it said in an earlier round is void. */
  round: number;
  part: ThinkingPart;
  /** In UTF-16 code units, as a text's length is. */
  offset: number;
  text: string;
  /** The step has said all. */
  is_over: boolean;
};

export type Thinking = Omit<ThinkingPiece, "agent_turn_id" | "part" | "offset" | "text"> & Record<ThinkingPart, string>;

/** What is held with the piece put in: the same object when it brings nothing new, null when something before it is missing. */
export function foldThinking(held: Thinking | undefined, piece: ThinkingPiece): Thinking | null | undefined {
  if (held && isOld(held, piece)) return held;
  const { turn_epoch, step_id, seq, round, part, offset, text, is_over } = piece;
  const isSame = held?.turn_epoch === turn_epoch && held.step_id === step_id && held.round === round;
  const said = isSame ? held : { text: "", reasoning: "" };
  if (offset > said[part].length) return null;
  const isKnown = said[part].startsWith(text, offset);
  if (isSame && isKnown && is_over === held.is_over) return held;
  const whole = isKnown ? said[part] : said[part].slice(0, offset) + text;
  return { text: said.text, reasoning: said.reasoning, [part]: whole, turn_epoch, step_id, seq, round, is_over };
}

const isOld = (held: Thinking, piece: ThinkingPiece): boolean =>
  piece.turn_epoch < held.turn_epoch || (piece.turn_epoch === held.turn_epoch && piece.seq < held.seq);

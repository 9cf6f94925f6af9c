// A model's text while it streams. It is stored nowhere, and pieces may be lost: the card that follows has the whole text,
// and a reader who joins late or misses a piece gets everything again.

export type ThinkingPart = "text" | "reasoning";

export type ThinkingPiece = {
  agent_turn_id: string;
  /** A worker that lost the turn may still send pieces. */
  turn_epoch: number;
  step_id: string;
  /** Rises within the epoch. Discard a piece that is out of order. */
  seq: number;
  /** Rises when the connection breaks and the model is asked again. Discard pieces of earlier rounds. */
  round: number;
  part: ThinkingPart;
  /** In UTF-16 code units, like the length of a JavaScript string. */
  offset: number;
  text: string;
  /** The step's text is complete. */
  is_over: boolean;
};

export type Thinking = Omit<ThinkingPiece, "agent_turn_id" | "part" | "offset" | "text"> & Record<ThinkingPart, string>;

/** The text with the piece added: the same object if nothing is new, null if an earlier piece is missing. */
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

// The words of the yard, as docs/glossary.md has them: a test compares the two.

export type LegendWord =
  | "card"
  | "box"
  | "turn"
  | "run"
  | "headcode"
  | "hand-over"
  | "left out"
  | "batch"
  | "gate"
  | "window"
  | "wagon"
  | "track"
  | "lamp"
  | "consist"
  | "folded wagon"
  | "dashed wagon"
  | "hold";

export const legendWords: Record<LegendWord, string> = {
  wagon: "A turn in the yard.",
  turn: "One piece of work of an agent: from a task to a deliverable.",
  headcode: "The short name of a turn in its run, such as `2S04`: depth, first letter of the profile, order.",
  run: "All turns that go back to one launch.",
  track: "A connection: who called whom.",
  lamp: "The sign of a state. The yellow lamp marks what you have selected.",
  card: "One piece of content that never changes: a text, a JSON value, a tool call, a tool result. It has an id, an author, a type and a weight in tokens.",
  box: "An ordered list of cards. A box only grows; to change or shorten it, make a new one.",
  consist: "The bar of a box: its cards in order, as wide as their tokens.",
  window: "The model's context window. Gauges show *sent* against it.",
  "hand-over": "What a caller passes to another agent: which boxes and cards, in which order, and what was left out.",
  "left out": "A card that the caller had and the callee did not get, with the reason.",
  batch: "The branches of one fork, with its deadline and its rule. A branch is the turn behind one task of the batch.",
  gate: "Where the branches of a batch join. It shows how many have arrived.",
  "folded wagon":
    "Many turns drawn as one wagon, like a stack. It shows how many there are and the worst status among them; `z` unfolds it.",
  "dashed wagon":
    "A node of a plan without a turn. It stands where its turn will stand, and says what it waits for or why it was skipped.",
  hold: "A person must let a node of a plan start. Its signal is right before it.",
};

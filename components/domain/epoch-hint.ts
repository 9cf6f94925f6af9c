/** Beside the word, on the pages of a turn and of an agent. */
export const epochHint =
  "Rises by one each time a worker takes over this agent's work. What a worker with an older epoch writes is refused.";

// How long to wait for a model and how often to try again: unit in the name, reason next to it.
export const modelTiming = {
  /** A long prompt at a busy provider starts within a minute; after this time a streamed answer is not coming. */
  firstByteMs: 120_000,
  /** Between two pieces. Providers that think silently send keep-alives. */
  gapMs: 90_000,
  /** For one complete answer. Node gives up on headers after five minutes, which limits an answer that is not streamed. */
  callMs: 900_000,
  attemptsMax: 5,
  /** 1, 2, 4, 8 s, each more or less by a half, so that many workers do not come back at once. */
  retryMs: 1_000,
  retryMsMax: 30_000,
  /** If a provider asks for a longer pause, we do not wait: the turn fails and says when to try again. */
  retryAfterMsMax: 120_000,
};
export type ModelTiming = typeof modelTiming;

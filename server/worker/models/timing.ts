// How long a model is waited for and how often it is asked again: unit in the name, reason beside it.
export const modelTiming = {
  /** A long prompt at a busy provider begins within a minute; a streamed answer that has not is not coming. */
  firstByteMs: 120_000,
  /** Between two pieces. Providers that think in silence send signs of life in between. */
  gapMs: 90_000,
  /** One answer, whole. Node gives up on headers after five minutes, which bounds an answer that is not streamed. */
  callMs: 900_000,
  attemptsMax: 5,
  /** 1, 2, 4, 8 s, each more or less by a half, so that many workers do not come back at once. */
  retryMs: 1_000,
  retryMsMax: 30_000,
  /** A provider that asks for a longer pause than this is not waited for: the turn fails and says when to come back. */
  retryAfterMsMax: 120_000,
};
export type ModelTiming = typeof modelTiming;

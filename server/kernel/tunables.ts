// Every number the kernel can be tuned by: unit in the name, reason beside it (docs/design/kernel.md 12). A bound ends in Max.
export const tunables = {
  /** A worker that has not beaten for this long is taken to be dead; six beats may be lost. */
  leaseMs: 60_000,
  beatMs: 10_000,
  /** Claimed but not started: the claimer died between the two. */
  startMs: 30_000,
  attemptsMax: 3,
  /** A turn is handed on so often by workers that stop in order; from then on it counts as an attempt. */
  handoversMax: 50,
  watchdogMs: 5_000,
  /** A row that breaks a rule of the watchdog is left aside for 10, 20, 40 s and so on. */
  watchdogRetryMs: 10_000,
  watchdogRetryMsMax: 600_000,
  /** What a tick of a rule waits for a row that somebody holds; five seconds for each of them left everybody else's waiting. */
  watchdogLockMs: 250,
  /** For each one after the first: somebody holds much at once. */
  watchdogNextLockMs: 25,
  /** A message in the hands of a worker that is there and does nothing about it: its answer got lost, or it hangs. */
  processingMsMax: 300_000,
  /** A ring may be lost: ring again for rows that wait longer. */
  pendingRingMs: 5_000,
  /** A tool that says nothing of its own time. */
  toolTimeoutMs: 60_000,
  /** Of one tool's output, as a model is shown it; its card holds the whole. */
  toolOutputCharsMax: 20_000,
  /** 0 = none; `deadline_seconds` of a fork wins. */
  batchDeadlineMs: 900_000,
  /** A message that cannot be applied yet comes round again after 1, 2, 4 s; then its turn fails. */
  deferralsMax: 3,
  deferMs: 1_000,
  /** A branch that could not be dispatched for a passing reason: after 2, 4, 8, 16 s. */
  dispatchRetryMs: 2_000,
  dispatchRetryMsMax: 30_000,
  dispatchAttemptsMax: 5,
  forkTasksMax: 64,
  recursionDepthMax: 20,
  /** Turns of one project that wait; who asks for more is refused until some have begun. */
  queuedMax: 20_000,
  stepsMax: 8,
  /** A statement without an answer for so long takes its connection with it (server/address.ts). */
  statementMs: 30_000,
  /** Claims, beats and a worker's sign of life: they come round again anyway. */
  quickStatementMs: 10_000,
  /** Parts of an import, the removal of a project, statistics: they are as long as what they are about. */
  longStatementMs: 600_000,
  /** How long is asked what became of a commit that was not answered. */
  outcomeMs: 5_000,
  claimLimit: 16,
  waitMsMax: 30_000,
  pollMs: 1_000,
  journalKeepDays: 30,
  instructionBytesMax: 1_048_576,
  jsonBytesMax: 4_194_304,
  /** Of one body: each is walked, sorted and stored; so many take a tenth of a second. */
  jsonValuesMax: 50_000,
  /** One file that a tool answers with. It goes to a model as base64, a third larger, with each step that follows. */
  artifactBytesMax: 5_242_880,
  /** All pictures of one request; the oldest are told of in words. */
  pictureBytesMax: 15_728_640,
  importBytesMax: 67_108_864,
  /** Of one read for a page or a list; whoever waits longer has gone, and the database should not go on for them. */
  readMsMax: 5_000,
  /** Of one value as JSON; what is more belongs into a card. */
  envValueBytesMax: 102_400,
  envKeysMax: 200,
  /** A worker silent for longer is not counted as there. */
  workerSeenMsMax: 30_000,
};
export type Tunables = typeof tunables;

// Every number that tunes the kernel: unit in the name, reason next to it (docs/design/kernel.md 12). A limit ends in Max.
import type { AlarmLimits } from "@/server/contract/alarm";

/** When an alarm's rule holds (docs/debugging.md); a project may have its own. */
const alarmLimits: AlarmLimits = {
  sibling_lacks_tokens: 200,
  passed_unseen_share: 0.5,
  passed_unseen_tokens: 1_000,
  paid_often_times: 20,
  paid_often_tokens: 20_000,
  pressure_share: 0.8,
  prefix_broken_share: 0.5,
  prefix_broken_tokens: 1_024,
  loop_times: 3,
  late_times: 3,
  late_ms: 1_000,
};

export const tunables = {
  /** A worker without a heartbeat for this long counts as dead; six heartbeats may be lost. */
  leaseMs: 60_000,
  beatMs: 10_000,
  /** Claimed but not started: the claimer died in between. */
  startMs: 30_000,
  attemptsMax: 3,
  /** How often stopping workers may hand a turn on; from then on it counts as an attempt. */
  handoversMax: 50,
  watchdogMs: 5_000,
  /** How long the removal of a project can be undone. */
  removedMs: 30_000,
  /** Of a project that is deleted: rows of one transaction, and how long a tick of the watchdog works at all of them. */
  purgeRowsMax: 1_000,
  purgeTickMs: 1_000,
  /** What must hold between rows is looked at once in this time, and in a tick of the watchdog for so long. */
  rowCheckMs: 24 * 3_600_000,
  rowCheckTickMs: 100,
  /** A row that fails under a watchdog rule is left aside for 10, 20, 40 s and so on. */
  watchdogRetryMs: 10_000,
  watchdogRetryMsMax: 600_000,
  /** How long a tick waits for a locked row; five seconds for each held up all other rows. */
  watchdogLockMs: 250,
  /** For each locked row after the first: one session often holds many. */
  watchdogNextLockMs: 25,
  /** A message held by a living worker that does nothing with it: its answer got lost, or it hangs. */
  processingMsMax: 300_000,
  /** A ring may be lost: ring again for rows that wait longer than this. */
  pendingRingMs: 5_000,
  /** For a tool that sets no time of its own. */
  toolTimeoutMs: 60_000,
  /** How much of one tool's output a model is shown; the card holds all of it. */
  toolOutputCharsMax: 20_000,
  /** 0 = none; `deadline_seconds` of a fork wins. */
  batchDeadlineMs: 900_000,
  /** A message that cannot be applied yet is tried again after 1, 2, 4 s; then its turn fails. */
  deferralsMax: 3,
  deferMs: 1_000,
  /** A branch that could not be dispatched because of a temporary failure: after 2, 4, 8, 16 s. */
  dispatchRetryMs: 2_000,
  dispatchRetryMsMax: 30_000,
  dispatchAttemptsMax: 5,
  forkTasksMax: 64,
  recursionDepthMax: 20,
  /** Waiting turns of one project; more are refused until some have started. */
  queuedMax: 20_000,
  stepsMax: 8,
  /** A statement without an answer for this long takes its connection with it (server/address.ts). */
  statementMs: 30_000,
  /** Claims, heartbeats and a worker's registration: they are repeated anyway. */
  quickStatementMs: 10_000,
  /** Parts of an import, deleting a project, statistics: their time depends on the amount of data. */
  longStatementMs: 600_000,
  /** How long to ask for the outcome of a commit that got no answer. */
  outcomeMs: 5_000,
  /** The most rows that one claim takes. Below 100: `run_place` leaves two digits for the run (inbox/claimable.ts). */
  claimLimit: 64,
  waitMsMax: 30_000,
  pollMs: 1_000,
  journalKeepDays: 30,
  instructionBytesMax: 1_048_576,
  jsonBytesMax: 4_194_304,
  /** Of one body: each is walked, sorted and stored; so many take a tenth of a second. */
  jsonValuesMax: 50_000,
  /** One file that a tool answers with. It goes to a model as base64, a third larger, with each step that follows. */
  artifactBytesMax: 5_242_880,
  /** One artifact that is uploaded under a name; SWITCHYARD_MAX_ARTIFACT_MIB sets it. It passes through in pieces. */
  uploadBytesMax: 268_435_456,
  /** Of workspaces, in one process: each has a process that parses, and one of a bundle holds it in memory. */
  indexesMax: 2,
  /** All pictures of one request; the oldest are told of in words. */
  pictureBytesMax: 15_728_640,
  importBytesMax: 67_108_864,
  /** Of one read for a page or a list; whoever waits longer has gone, and the database should not go on for them. */
  readMsMax: 5_000,
  /** Of one question where words come from: what was found by then is answered, marked as partial. */
  blameMsMax: 3_000,
  /** Of one value as JSON; what is more belongs into a card. */
  envValueBytesMax: 102_400,
  envKeysMax: 200,
  alarmLimits,
  /** What a process has taken to look for alarms is taken by another one after this long. */
  alarmTakenMs: 60_000,
  /** How long a tick of the watchdog goes on looking for alarms; what is left waits for the next one. */
  alarmTickMs: 1_000,
  /** Turns and batches of one project that are looked at together, and what their requests may hold together. */
  alarmSetMax: 200,
  alarmSetCardsMax: 50_000,
  /** A worker that has been silent for longer does not count as present. */
  workerSeenMsMax: 30_000,
};
export type Tunables = typeof tunables;

// Loaded before a worker's own code: lost parts are noticed within seconds, so that a short run covers everything.
import { tunables } from "@/server/kernel/tunables";

Object.assign(tunables, {
  leaseMs: 4_000,
  beatMs: 700,
  startMs: 2_500,
  processingMsMax: 4_000,
  watchdogMs: 700,
  pollMs: 400,
  pendingRingMs: 1_000,
  toolTimeoutMs: 5_000,
  deferMs: 200,
  dispatchRetryMs: 200,
  attemptsMax: 4,
});

// What the health check returns.
import * as z from "zod";

const Writes = z
  .strictObject({
    status: z.enum(["ok", "waiting"]),
    reason: z.string().optional(),
  })
  .meta({ id: "Writes" });
const Replication = z
  .strictObject({
    mode: z.enum(["unknown", "none", "async", "sync"]),
    standbys: z.number().optional(),
    lag_bytes: z.number().optional().describe("Lag of the standby that is farthest behind. Absent without a standby."),
    may_lose: z.boolean().optional(),
  })
  .meta({ id: "Replication" });
const Generation = z
  .strictObject({
    generation: z.number(),
    reason: z.enum(["new", "moved", "promoted", "restored"]),
    began_at: z.string(),
  })
  .meta({ id: "Generation" });
const Worker = z
  .strictObject({
    worker_id: z.string(),
    project_id: z.string().describe('The project whose turns it takes; "*" = all projects.'),
    targets: z.array(z.string()),
    version: z.string(),
    started_at: z.string(),
    seen_at: z.string(),
  })
  .meta({ id: "Worker" });
const Waiting = z
  .strictObject({
    worker_target: z.string(),
    project_id: z.string(),
    project_title: z.string(),
    needs_own_worker: z
      .boolean()
      .describe("Their profile names no model. Only a worker of the project's own takes them."),
    rows: z.number(),
    oldest_at: z.string(),
    is_served: z.boolean(),
  })
  .meta({ id: "Waiting" });
const WatchdogFailure = z
  .strictObject({
    project_id: z.string(),
    project_title: z.string(),
    rule: z.string(),
    row_key: z
      .string()
      .describe("Id of the row. The rule decides what it is: a call, turn, batch, agent, request, inbox row or card."),
    agent_turn_id: z.string().optional().describe("The turn that waits for it, if the row belongs to a turn."),
    attempts: z.number(),
    error_code: z.string().describe("A code of failures.ts, or an SQLSTATE."),
    last_error: z.string(),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    next_try_at: z.string(),
  })
  .meta({ id: "WatchdogFailure" });
const RowFinding = z
  .strictObject({
    project_id: z.string(),
    project_title: z.string(),
    rule: z.string().describe("What must hold between rows."),
    row_key: z.string().describe("Id of the row: a turn, agent, box, batch or run, by the rule."),
    what: z.string().describe("What is wrong with it."),
    found_at: z.string(),
  })
  .meta({ id: "RowFinding" });
export const Health = z
  .strictObject({
    status: z.enum(["ok", "degraded", "down"]),
    version: z.string(),
    database: z
      .strictObject({
        status: z.enum(["ok", "down", "full"]),
        version: z.string().optional(),
        error: z.string().optional(),
      })
      .describe("`full`: a write of this process failed on a full disk within the last minute."),
    doorbell: z
      .strictObject({
        kind: z.string(),
        status: z.enum(["ok", "down", "deaf"]),
      })
      .describe(
        "`deaf`: connected, but its own notifications don't arrive: a pooler drops LISTEN, or the connection is dead.",
      ),
    events: z
      .enum(["ok", "unavailable"])
      .optional()
      .describe("Whether the bus keeps events and commands for listeners that are away; absent without NATS."),
    writes: Writes.optional().describe(
      "Whether a commit is confirmed within 2 s. Absent if this process does not test it.",
    ),
    replication: Replication.optional().describe("Absent while the database is unavailable."),
    generation: Generation.optional(),
    workers: z.array(Worker).describe("Seen within the last 30 s."),
    starved_targets: z.array(z.string()).describe("Worker targets with due turns and no worker to take them."),
    waiting: z
      .strictObject({
        groups: z.number(),
        rows: z.number(),
        first: z.array(Waiting),
      })
      .describe(
        "What waits, by target and project: first what no worker takes, then the oldest. At most 50; `groups` counts all.",
      ),
    watchdog: z
      .strictObject({
        failing: z.number(),
        newest: z.array(WatchdogFailure),
        overdue: z
          .number()
          .describe("Removed projects that nobody has begun to delete a minute after their time: no watchdog runs."),
      })
      .describe(
        "Rows that the watchdog could not handle, and the newest of them. Each is tried again and does not block others.",
      ),
    checks: z
      .strictObject({
        findings: z.number().describe("Rows that do not agree with others."),
        newest: z.array(RowFinding),
        rows: z.number().describe("Rows that the round has looked at so far."),
        began_at: z.string().optional().describe("Absent: no worker has begun a round."),
        ended_at: z.string().optional().describe("Absent: the round is under way."),
      })
      .describe("The daily check of what must hold between rows, and the newest of what it found."),
    live_lag_s: z
      .number()
      .optional()
      .describe("Seconds that an open write transaction delays the live view. Absent under 2 s."),
  })
  .meta({ id: "Health" });

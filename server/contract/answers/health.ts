// What the health check answers.
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
    lag_bytes: z.number().optional().describe("Of the standby that is farthest behind; absent without one."),
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
    project_id: z.string().describe('The project it takes turns of; "*" = of all of them.'),
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
      .describe("Their profile names no model: only a worker of the project's own takes them."),
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
      .describe(
        "Which row: the id of a call, a turn, a batch, an agent, a request, an inbox row or a card, by the rule.",
      ),
    agent_turn_id: z.string().optional().describe("The turn that it keeps waiting, where the row is one of a turn's."),
    attempts: z.number(),
    error_code: z.string().describe("A code of failures.ts, or an SQLSTATE."),
    last_error: z.string(),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    next_try_at: z.string(),
  })
  .meta({ id: "WatchdogFailure" });
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
      .describe("`full`: a write of this process met a full disk within the last minute."),
    doorbell: z
      .strictObject({
        kind: z.string(),
        status: z.enum(["ok", "down", "deaf"]),
      })
      .describe(
        "Deaf: connected, and it does not hear its own word; a pooler that eats LISTEN, or a line that went dead.",
      ),
    events: z
      .enum(["ok", "unavailable"])
      .optional()
      .describe("Whether the bus keeps events and commands for listeners that are away; absent where there is no bus."),
    writes: Writes.optional().describe(
      "Whether a commit of a row is confirmed within two seconds; absent where nobody tries.",
    ),
    replication: Replication.optional().describe("Absent while the database is away."),
    generation: Generation.optional(),
    workers: z.array(Worker).describe("Seen within the last 30 s."),
    starved_targets: z.array(z.string()).describe("Worker targets with due turns and nobody to take them."),
    waiting: z
      .strictObject({
        groups: z.number(),
        rows: z.number(),
        first: z.array(Waiting),
      })
      .describe(
        "What waits, by target and project: first what nobody takes, then the oldest. At most 50; `groups` counts all.",
      ),
    watchdog: z
      .strictObject({
        failing: z.number(),
        newest: z.array(WatchdogFailure),
      })
      .describe(
        "Rows that the watchdog leaves aside, and the newest of them. Each is tried again; none keeps another one waiting.",
      ),
    live_lag_s: z
      .number()
      .optional()
      .describe("Seconds the live view lags behind because of an open write transaction; absent under 2 s."),
  })
  .meta({ id: "Health" });

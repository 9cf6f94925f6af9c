import { expect, test } from "vitest";
import type { Health, Worker } from "@/server/contract/health";
import { checksOf, verdictOf, workersByTarget } from "./health-checks";
import { whatFails, whatHelps } from "./watchdog-words";

const well: Health = {
  status: "ok",
  version: "1",
  database: { status: "ok", version: "17.4" },
  doorbell: { kind: "postgres", status: "ok" },
  writes: { status: "ok" },
  replication: { mode: "none", standbys: 0, may_lose: true },
  workers: [],
  starved_targets: [],
  waiting: { groups: 0, rows: 0, first: [] },
  watchdog: { failing: 0, newest: [], overdue: 0 },
  checks: { findings: 0, newest: [], rows: 0 },
};
const check = (more: Partial<Health>, name: string) => checksOf({ ...well, ...more }).find((one) => one.name === name);

test("a healthy installation needs no look, and says that it has no standby", () => {
  expect(verdictOf(well)).toEqual({ tone: "good", said: "Everything works." });
  expect(checksOf(well).map(({ name, tone }) => [name, tone])).toEqual([
    ["Database", "good"],
    ["Writes", "good"],
    ["Live updates", "good"],
    ["Replication", "quiet"],
  ]);
});

test.each<[string, Partial<Health>, string, string]>([
  ["a full disk", { database: { status: "full" } }, "Database", "bad"],
  ["a database that is away", { database: { status: "down", error: "08006" } }, "Database", "bad"],
  ["a write that is not confirmed", { writes: { status: "waiting", reason: "unconfirmed" } }, "Writes", "bad"],
  ["a table that is held", { writes: { status: "waiting", reason: "locked" } }, "Writes", "bad"],
  ["a read-only server", { writes: { status: "waiting", reason: "read_only" } }, "Writes", "bad"],
  ["a deaf bell", { doorbell: { kind: "postgres", status: "deaf" } }, "Live updates", "warn"],
  ["a bell that is down", { doorbell: { kind: "nats", status: "down" } }, "Live updates", "warn"],
  ["a bus without streams", { events: "unavailable" }, "Events on NATS", "warn"],
  ["a missing standby", { replication: { mode: "sync", standbys: 0, may_lose: false } }, "Replication", "warn"],
])("%s names what helps", (_, more, name, tone) => {
  expect(check(more, name)).toMatchObject({ tone, said: expect.any(String), remedy: expect.any(String) });
});

test("replication says how it confirms, how far it is, and what may be lost", () => {
  const said = (replication: Health["replication"]) => {
    const found = check({ replication }, "Replication");
    return `${found?.said} ${found?.remedy ?? ""}`;
  };
  expect(said({ mode: "sync", standbys: 2, lag_bytes: 2048, may_lose: false })).toMatch(
    /2 standbys.*behind.*second server/,
  );
  expect(said({ mode: "async", standbys: 1, lag_bytes: 0, may_lose: true })).toMatch(/1 standby\b.*may be missing/);
  expect(said({ mode: "unknown" })).toMatch(/Unknown.*GRANT pg_monitor/);
});

test("workers stand by target; one of several targets stands under each", () => {
  const worker = (worker_id: string, targets: string[]): Worker => ({
    worker_id,
    targets,
    project_id: "*",
    version: "1",
    started_at: "",
    seen_at: "",
  });
  const groups = workersByTarget([worker("a", ["t2"]), worker("b", ["*"]), worker("c", ["t2", "t1"])]);
  expect(groups.map(({ target, workers }) => [target, workers.map((one) => one.worker_id)])).toEqual([
    ["*", ["b"]],
    ["t1", ["c"]],
    ["t2", ["a", "c"]],
  ]);
});

test("several troubles are counted in one line", () => {
  const verdict = verdictOf({
    ...well,
    status: "degraded",
    starved_targets: ["t1"],
    watchdog: { failing: 2, newest: [], overdue: 0 },
    doorbell: { kind: "postgres", status: "deaf" },
  });
  expect(verdict).toEqual({
    tone: "warn",
    said: "One check below needs a look; no worker for 1 target; the watchdog cannot handle 2 rows.",
  });
});

test("removed projects that nobody deletes are told of", () => {
  expect(verdictOf({ ...well, watchdog: { failing: 0, newest: [], overdue: 1 } }).said).toBe(
    "No worker deletes 1 removed project.",
  );
});

test("a failing row says what fails and what helps", () => {
  expect(whatFails({ rule: "settle-batches" })).toBe("A batch cannot be settled");
  expect(whatFails({ rule: "some-rule" })).toContain("some-rule");
  expect(whatHelps({ error_code: "locked" })).toContain("pg_stat_activity");
  expect(whatHelps({ error_code: "XX001", agent_turn_id: "turn_1" })).toContain("stop the turn");
});

import { expect, test } from "vitest";
import { type InboxLine, inboxReason } from "@/server/contract/inbox-line";
import { groupLines, missingWorkers, triesOf } from "./inbox-groups";
import { inboxListQuery } from "./inbox-list-query";

const NOW = Date.parse("2026-11-22T10:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

function line(more: Partial<InboxLine>): InboxLine {
  return {
    inbox_id: "inbox_1",
    agent_id: "hand_1",
    profile_name: "Hand",
    message_type: "turn",
    correlation_id: "turn_1",
    turn_epoch: 1,
    worker_target: "worker_python",
    needs_own_worker: false,
    is_served: true,
    status: "pending",
    attempt: 1,
    retry_count: 0,
    next_retry_at: at(-5),
    created_at: at(-5),
    age_ms: 5000,
    reason: "",
    ...more,
  };
}

const turnOf = (root_turn_id: string) => ({ root_turn_id, headcode: "1S01" }) as InboxLine["turn"];

test("groups come in the order of their oldest row, and what has ended is apart", () => {
  const lines = [
    line({ inbox_id: "1" }),
    line({ inbox_id: "2", agent_id: "hand_2", is_served: false, worker_target: "worker_r" }),
    line({ inbox_id: "3" }),
    line({ inbox_id: "4", status: "consumed" }),
  ];
  const { groups, ended } = groupLines(lines, "agent");
  expect(groups.map((group) => [group.key, group.lines.length])).toEqual([
    ["hand_1", 2],
    ["hand_2", 1],
  ]);
  expect(ended.map((one) => one.inbox_id)).toEqual(["4"]);
  expect(groupLines(lines, "target").groups.map((group) => group.key)).toEqual(["worker_python", "worker_r"]);
});

test("the built-in worker is offered only for what it takes, and for nothing that is queued", () => {
  const starved = { is_served: false };
  const lines = [
    line({ ...starved, worker_target: "a" }),
    line({ ...starved, worker_target: "a", needs_own_worker: true }),
    line({ ...starved, worker_target: "b", needs_own_worker: true, status: "deferred" }),
    line({ ...starved, worker_target: "c", status: "queued" }),
    line({ ...starved, worker_target: "d", status: "processing" }),
    line({ worker_target: "e" }),
  ];
  expect(missingWorkers({ lines })).toEqual({ built_in: ["a"], own: ["a", "b"] });
});

test.each<[Partial<InboxLine>, string]>([
  [{}, "waits for a worker of worker_python"],
  [{ is_served: false }, "waits for a worker of worker_python, and no worker serves it"],
  [
    { is_served: false, needs_own_worker: true },
    "waits for this project's own worker of worker_python, because its profile names no model, and none is running",
  ],
  [{ needs_own_worker: true }, "waits for a worker of worker_python"],
  [{ next_retry_at: at(8) }, "due in 8 s"],
  [{ status: "deferred", next_retry_at: at(200), defer_reason: "too early." }, "deferred for 3 min: too early"],
  [
    { status: "deferred", defer_reason: "too early" },
    "waits for a worker of worker_python, deferred before: too early",
  ],
  [{ status: "processing", claimed_by: "w1", processed_at: at(-12) }, "claimed by w1 for 12 s, not started"],
  [{ status: "queued" }, "next of its agent, leased within seconds"],
  [{ status: "queued", queue_ahead: 2 }, "queued behind 2 of its agent"],
  [{ status: "queued", turn: turnOf("run_1"), behind: turnOf("run_1"), queue_ahead: 0 }, "queued behind 1S01"],
  [
    { status: "queued", turn: turnOf("run_1"), behind: turnOf("run_2"), queue_ahead: 1 },
    "queued behind 1S01 of another run and 1 more",
  ],
  [{ status: "error", last_error: "it broke" }, "failed: it broke"],
  [{ status: "skipped", last_error: "its batch was stopped" }, "skipped: its batch was stopped"],
  [{ status: "consumed" }, "taken up"],
])("%o: %s", (more, words) => {
  expect(inboxReason(line(more), NOW)).toBe(words);
});

test("tries", () => {
  expect(triesOf(line({}))).toBe("first try");
  expect(triesOf(line({ attempt: 2, retry_count: 3 }))).toBe("attempt 2, put off 3 times");
});

test("what has ended is asked for by the toggle, or by a status that only the ended have", () => {
  expect(inboxListQuery("p", {}).state).toBe("open");
  expect(inboxListQuery("p", { ended: "true" }).state).toBeUndefined();
  expect(inboxListQuery("p", { status: "error" }).state).toBeUndefined();
  expect(inboxListQuery("p", { status: "nonsense" }).status).toBeUndefined();
});

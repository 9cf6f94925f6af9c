// The inbox as people and programs read it: why each row waits, in the order in which they wait.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DelegateResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { InboxLine } from "@/server/contract/inbox-line";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn } from "@/server/testing/turns";
import { claimInbox } from "../inbox/claim-inbox";
import { registerWorker } from "../turns/register-worker";
import { listInbox } from "./list-inbox";

let kernel: TestKernel;
const project_id = "waiting";
let boss: Running;
let child: DelegateResult;
const { running, accepted } = callersOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }, { name: "Hand", worker_target: "worker_python" }]);
  await seedProject(kernel, "other", [{ name: "Boss" }]);
  boss = await running("Boss");
  child = await accepted(boss, toNew("Hand", { instruction: "weigh it" }));
});
afterAll(() => kernel.close());

const rowsOf = async (query: Partial<Parameters<typeof listInbox>[1]> = {}): Promise<InboxLine[]> =>
  (await listInbox(kernel, { project_id, limit: 50, ...query })).items;

const rowOf = async (agent_turn_id: string): Promise<InboxLine | undefined> =>
  (await rowsOf()).find((line) => line.agent_turn_id === agent_turn_id);

test("a due row says whom it waits for, and whether there is such a worker", async () => {
  expect(await rowOf(child.agent_turn_id)).toMatchObject({
    status: "pending",
    message_type: "turn",
    profile_name: "Hand",
    worker_target: "worker_python",
    needs_own_worker: true,
    is_served: false,
    turn: { title: "weigh it" },
    reason:
      "waits for this project's own worker of worker_python, because its profile names no model, and none is running",
  });
  // Its profile names no model: the built-in worker does not take it, whatever targets it serves.
  await registerWorker(kernel, { worker_id: "ours", targets: ["*", "worker_python"], version: "test" });
  expect(await rowOf(child.agent_turn_id)).toMatchObject({ is_served: false });
  await registerWorker(kernel, { project_id, worker_id: "py", targets: ["worker_python"], version: "test" });
  expect(await rowOf(child.agent_turn_id)).toMatchObject({
    is_served: true,
    reason: "waits for a worker of worker_python",
  });
});

test("a queued row says behind what, and how many are before it", async () => {
  const [second, third] = [
    await launchTurn(kernel, project_id, { target: child.agent_id, strategy: "reuse" }),
    await launchTurn(kernel, project_id, { target: child.agent_id, strategy: "reuse" }),
  ];
  const active = await rowOf(child.agent_turn_id);
  expect(await rowOf(second.agent_turn_id)).toMatchObject({
    status: "queued",
    queue_ahead: 0,
    behind: { agent_turn_id: child.agent_turn_id, status: "dispatched" },
    reason: `queued behind ${active?.turn?.headcode} of another run`,
  });
  expect((await rowOf(third.agent_turn_id))?.reason).toBe(
    `queued behind ${active?.turn?.headcode} of another run and 1 more`,
  );
});

test("a claimed row says by whom; a deferred one until when and why", async () => {
  await claimInbox(kernel, { worker_targets: ["worker_python"], worker_id: "py", limit: 1 });
  const claimed = await rowOf(child.agent_turn_id);
  expect(claimed).toMatchObject({ status: "processing", claimed_by: "py" });
  expect(claimed?.reason).toMatch(/^claimed by py for \d+ s, not started$/);
  await kernel.db.pool.query(
    `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status,
       retry_count, next_retry_at, defer_reason)
     VALUES ($1, $4, $2, 'tool_result', 'call', $3, 't', 'deferred', 2, now() + interval '30 s', 'its turn is not suspended yet')`,
    [project_id, boss.agent_id, boss.agent_turn_id, kernel.newId("inbox_")],
  );
  const put = (await rowsOf()).find((line) => line.message_type === "tool_result");
  expect(put).toMatchObject({ status: "deferred", retry_count: 2 });
  expect(put?.reason).toMatch(/^deferred for (29|30) s: its turn is not suspended yet$/);
});

describe("the order", () => {
  test("is the oldest open row first, then the ended ones, newest first, in pages without a gap", async () => {
    const all = await rowsOf();
    const open = all.filter((line) => line.status !== "consumed");
    expect(all.map((line) => line.inbox_id)).toEqual([
      ...open.map((line) => line.inbox_id).toSorted(),
      ...all
        .slice(open.length)
        .map((line) => line.inbox_id)
        .toSorted()
        .reverse(),
    ]);
    expect([open.length, all.length - open.length]).toEqual([4, 1]);
    const seen: string[] = [];
    for (let cursor: string | undefined, rounds = 0; rounds < 20; rounds++) {
      const page = await listInbox(kernel, { project_id, limit: 1, cursor });
      seen.push(...page.items.map((line) => line.inbox_id));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(all.map((line) => line.inbox_id));
  });

  test("filters leave the rest out", async () => {
    expect((await rowsOf({ state: "open" })).map((line) => line.status)).not.toContain("consumed");
    expect((await rowsOf({ state: "ended" })).map((line) => line.status)).toEqual(["consumed"]);
    expect((await rowsOf({ status: "queued" })).map((line) => line.status)).toEqual(["queued", "queued"]);
    expect((await rowsOf({ status: "consumed" })).map((line) => line.agent_id)).toEqual([boss.agent_id]);
    expect(await rowsOf({ message_type: "timeout" })).toEqual([]);
    expect(new Set((await rowsOf({ agent_id: child.agent_id })).map((line) => line.agent_id))).toEqual(
      new Set([child.agent_id]),
    );
  });

  test("nothing crosses projects, and a cursor of another one is refused", async () => {
    expect((await listInbox(kernel, { project_id: "other", limit: 50 })).items).toEqual([]);
    const { next_cursor } = await listInbox(kernel, { project_id, limit: 1 });
    for (const [project, cursor] of [
      ["other", next_cursor],
      ["none", undefined],
    ] as const) {
      const error = await listInbox(kernel, { project_id: project, limit: 1, cursor }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(KernelError);
    }
  });
});

// A key and its write are committed together, whatever is lost: a repeated request is answered and not done twice.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { withKey } from "./kept-results";
import { createKernel, type Kernel } from "./kernel";
import { withUnit } from "./unit";

const P = "kept";
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Solo" }]);
});
afterAll(() => kernel.close());

const runs = async () =>
  (await kernel.db.pool.query("SELECT count(*)::int AS n FROM state.runs WHERE project_id = $1", [P])).rows[0].n;

/** Every commit happens, but its confirmation is lost. */
function deaf(): Kernel {
  const away = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  const pool = Object.create(kernel.db.pool);
  pool.query = kernel.db.pool.query.bind(kernel.db.pool);
  pool.connect = async () => {
    const client = await kernel.db.pool.connect();
    const { query, release } = client;
    client.query = (async (...args: unknown[]) => {
      const answer = await (query as (...all: unknown[]) => Promise<unknown>).apply(client, args);
      if ((args[0] as { text?: string }).text !== "COMMIT") return answer;
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "08006" });
    }) as typeof client.query;
    client.release = (error) => {
      client.query = query;
      client.release = release;
      release.call(client, error);
    };
    return client;
  };
  return createKernel({
    ...kernel,
    db: { ...kernel.db, pool, connectAnew: away },
    tunables: { ...kernel.tunables, outcomeMs: 0 },
  });
}

const launched = {
  project_id: P,
  tool: "delegate_async" as const,
  args: {
    target_strategy: "new",
    target_ref: "Solo",
    instruction: "go",
  },
};

test("REST: a request with unknown outcome is answered when it is repeated, and done once", async () => {
  const post = (by: Kernel, key: string) =>
    restOf(() => by).post(
      `/projects/${P}/boxes`,
      { cards: [{ type: "task.instruction", content: "go" }] },
      { "idempotency-key": key },
    );
  const boxes = async () =>
    (await kernel.db.pool.query("SELECT count(*)::int AS n FROM card_boxes WHERE tenant_id = $1", [P])).rows[0].n;
  const before = await boxes();
  const first = await post(deaf(), "rest-1");
  expect([first.status, first.json.detail.error_code]).toEqual([503, "outcome_unknown"]);
  const made = (await boxes()) - before;
  expect(made).toBeGreaterThan(0);
  const second = await post(kernel, "rest-1");
  expect(second.status).toBe(201);
  expect(await post(kernel, "rest-1")).toEqual(second);
  expect((await boxes()) - before).toBe(made);
  expect((await post(kernel, "rest-2")).status).toBe(201);
  expect((await boxes()) - before).toBe(2 * made);
});

test("tRPC: the key of an action does the same", async () => {
  const before = await runs();
  const launch = (by: Kernel, key: string) =>
    createCaller({ kernel: by, user: "local", key }).delegation.launch(launched);
  await expect(launch(deaf(), "gesture-1")).rejects.toMatchObject({ cause: { code: "outcome_unknown" } });
  expect(await runs()).toBe(before + 1);
  const again = await launch(kernel, "gesture-1");
  expect(await runs()).toBe(before + 1);
  expect(await launch(kernel, "gesture-1")).toEqual(again);
  // A new action is a new turn; the same key for another request is refused.
  await launch(kernel, "gesture-2");
  expect(await runs()).toBe(before + 2);
  const other = createCaller({ kernel, user: "local", key: "gesture-2" });
  await expect(other.project.update({ project_id: P, title: "other" })).rejects.toMatchObject({
    cause: { code: "conflict" },
  });
  await expect(launch(kernel, "no good key")).rejects.toMatchObject({ cause: { code: "bad_request" } });
});

test("two with the same key at once: one is done, the other is told to retry", async () => {
  const before = await runs();
  const launch = () => createCaller({ kernel, user: "local", key: "twice" }).delegation.launch(launched);
  const ends = await Promise.allSettled([launch(), launch()]);
  expect(await runs()).toBe(before + 1);
  for (const end of ends)
    if (end.status === "rejected") expect(end.reason).toMatchObject({ cause: { code: "conflict" } });
  expect(ends.some((end) => end.status === "fulfilled")).toBe(true);
});

test("a request of several units continues where it stopped; its follow-ups are not its units", async () => {
  const asked = { project_id: P, key: "several", request: "a request" };
  const done: string[] = [];
  const unit = (own: Kernel, name: string, answer: string) =>
    withUnit(own, async (u) => {
      await u.query(name, "SELECT 1");
      done.push(answer);
      u.after(async () => void (await withUnit(own, (after) => after.query("test_follow", "SELECT 2"))));
      return answer;
    });
  const first = await withKey(kernel, asked);
  expect([await unit(first, "test_a", "a1"), await unit(first, "test_a", "a2")]).toEqual(["a1", "a2"]);
  const second = await withKey(kernel, asked);
  expect([
    await unit(second, "test_a", "x"),
    await unit(second, "test_b", "b1"),
    await unit(second, "test_a", "y"),
    await unit(second, "test_a", "a3"),
  ]).toEqual(["a1", "b1", "a2", "a3"]);
  expect(done).toEqual(["a1", "a2", "b1", "a3"]);
  await expect(withKey(kernel, { ...asked, request: "another" })).rejects.toMatchObject({ code: "conflict" });
  const refused = withUnit(await withKey(kernel, { ...asked, key: "refused" }), async (u) => {
    await u.query("test_c", "SELECT 1");
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect((await withKey(kernel, { ...asked, key: "refused" })).keyed.kept.size).toBe(0);
});

// A unit's statements are on their way before their answers are looked at: what fails is told by its own name, nothing of
// the unit is left, and the connection serves the next one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import type { Unit } from "./unit";
import { type UnitOptions, withUnit } from "./unit";

const P = "units";
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Solo" }]);
});
afterAll(() => kernel.close());

const RENAME = "UPDATE projects SET title = $2 WHERE project_id = $1";
const FAIL = (sqlstate: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${sqlstate}'; END $$`;
const titleNow = async () =>
  (await kernel.test.pool.query("SELECT title FROM projects WHERE project_id = $1", [P])).rows[0].title;
const rename = (unit: Unit, title: string) => unit.send("test_rename", RENAME, [P, title]);

test("a write that nobody waits for is committed with its unit", async () => {
  await withUnit(kernel, async (unit) => rename(unit, "sent"));
  expect(await titleNow()).toBe("sent");
});

test("its failure is the unit's, under its own name, although a later statement failed first", async () => {
  const work = withUnit(kernel, async (unit) => {
    rename(unit, "lost");
    unit.send("test_fail_23514", FAIL("23514"), []);
    await unit.query("test_one", "SELECT 1");
  });
  await expect(work).rejects.toMatchObject({ code: "23514" });
  const atCommit = withUnit(kernel, async (unit) => {
    rename(unit, "lost");
    unit.send("test_fail_23514", FAIL("23514"), []);
  });
  await expect(atCommit).rejects.toMatchObject({ code: "23514" });
  expect(await titleNow()).toBe("sent");
});

test("what Postgres aborted is run again, even if nobody waited for it", async () => {
  let attempts = 0;
  await withUnit(kernel, async (unit) => {
    attempts++;
    if (attempts < 3) unit.send("test_fail_40001", FAIL("40001"), []);
    rename(unit, `attempt ${attempts}`);
  });
  expect([attempts, await titleNow()]).toEqual([3, "attempt 3"]);
});

test("a refusal while writes are on their way rolls them back, and the connection stays usable", async () => {
  const work = withUnit(kernel, async (unit) => {
    for (let i = 0; i < 20; i++) rename(unit, `lost ${i}`);
    throw new Error("refused");
  });
  await expect(work).rejects.toThrow("refused");
  for (let i = 0; i < kernel.db.pool.totalCount + 1; i++)
    expect(await withUnit(kernel, async (unit) => (await unit.query("test_one", "SELECT 1")).length)).toBe(1);
  expect(await titleNow()).toBe("attempt 3");
});

test("of statements sent together the one that failed is reported, however deep it is", async () => {
  let attempts = 0;
  const deeper = async (unit: Unit): Promise<void> => {
    await (async () => unit.query("test_fail_40P01", FAIL("40P01")))();
  };
  for (let i = 0; i < 10; i++)
    await withUnit(kernel, async (unit) => {
      attempts++;
      if (attempts % 2 === 1) await Promise.all([deeper(unit), unit.query("test_one", "SELECT 1")]);
    });
  expect(attempts).toBe(20);
});

test("statements sent after the unit was refused have no effect", async () => {
  const late = (async (unit: Unit): Promise<void> => {
    await unit.query("test_one", "SELECT 1");
    await unit.query("test_rename", RENAME, [P, "too late"]);
  }) satisfies (unit: Unit) => Promise<void>;
  const work = withUnit(kernel, async (unit) => {
    await Promise.all([late(unit), Promise.reject(new Error("refused at once"))]);
  });
  await expect(work).rejects.toThrow("refused at once");
  await withUnit(kernel, async (unit) => void (await unit.query("test_one", "SELECT 1")));
  expect(await titleNow()).toBe("attempt 3");
});

test("a swallowed failure does not count as a commit", async () => {
  const work = withUnit(kernel, async (unit) => {
    rename(unit, "lost");
    await unit.query("test_fail_22000", FAIL("22000")).catch(() => undefined);
  });
  await expect(work).rejects.toMatchObject({ code: "22000" });
  expect(await titleNow()).toBe("attempt 3");
});

test("a connection that dies with statements on it gives storage_error, and affects no other unit", async () => {
  const work = withUnit(kernel, async (unit) => {
    rename(unit, "lost");
    unit.send("test_die", "SELECT pg_terminate_backend(pg_backend_pid())", []);
    rename(unit, "lost too");
    await unit.query("test_one", "SELECT 1");
  });
  await expect(work).rejects.toMatchObject({ code: "storage_error" });
  await withUnit(kernel, async (unit) => rename(unit, "alive"));
  expect(await titleNow()).toBe("alive");
});

test("a unit that is often empty takes no transaction id until it writes", async () => {
  const xidOf = (options: UnitOptions) =>
    withUnit(
      kernel,
      async (unit) => {
        const text = "SELECT pg_current_xact_id_if_assigned()::text AS xid";
        return (await unit.query<{ xid: string | null }>("test_xid", text))[0]?.xid;
      },
      options,
    );
  expect(await xidOf({})).toEqual(expect.any(String));
  expect(await xidOf({ isOftenEmpty: true })).toBeNull();
});

test("a unit of one statement sends its commit with it: done, or not at all, and no second statement comes after", async () => {
  const options = { isOneStatement: true } as const;
  const one = (unit: Unit, title: string, id: string) =>
    unit.query("test_one", "INSERT INTO projects (project_id, title) VALUES ($1, $2)", [id, title]);
  await withUnit(kernel, (unit) => one(unit, "one", "proj_one"), options);
  const titled = async (id: string) =>
    (await kernel.db.pool.query("SELECT title FROM projects WHERE project_id = $1", [id])).rows;
  expect(await titled("proj_one")).toEqual([{ title: "one" }]);
  await expect(withUnit(kernel, (unit) => one(unit, "again", "proj_one"), options)).rejects.toMatchObject({
    code: "23505",
  });
  expect(await titled("proj_one")).toEqual([{ title: "one" }]);
  const two = withUnit(
    kernel,
    async (unit) => {
      await one(unit, "two", "proj_two");
      await one(unit, "three", "proj_three");
    },
    options,
  );
  await expect(two).rejects.toThrow("after the commit of its unit");
  expect(await titled("proj_three")).toEqual([]);
  await withUnit(kernel, (unit) => one(unit, "four", "proj_four"));
  expect(await titled("proj_four")).toEqual([{ title: "four" }]);
});

test("the last statement of a unit takes the commit with it, unless frames are to be written behind it", async () => {
  const put = (ask: Unit["query"], id: string) =>
    ask("test_one", "INSERT INTO projects (project_id, title) VALUES ($1, $2)", [id, "last"]);
  const there = async (id: string) =>
    (await kernel.db.pool.query("SELECT 1 FROM projects WHERE project_id = $1", [id])).rows.length;
  const behind = async (id: string, frames: boolean) =>
    withUnit(kernel, async (unit) => {
      if (frames) unit.frame(id, { kind: "project_changed", id, rev: 1 } as never);
      await put(unit.query, `${id}_first`);
      await put(unit.last().query, id);
      await put(unit.query, `${id}_behind`);
    });
  await expect(behind("proj_last", false)).rejects.toThrow("after the commit of its unit");
  expect(await Promise.all(["proj_last_first", "proj_last", "proj_last_behind"].map(there))).toEqual([1, 1, 0]);
  await behind("proj_framed", true);
  expect(await Promise.all(["proj_framed_first", "proj_framed", "proj_framed_behind"].map(there))).toEqual([1, 1, 1]);
  // Refused, it takes all before it with it.
  const refused = withUnit(kernel, async (unit) => {
    await put(unit.query, "proj_refused");
    await put(unit.last().query, "proj_last");
  });
  await expect(refused).rejects.toMatchObject({ code: "23505" });
  expect(await there("proj_refused")).toBe(0);
});

test("a sealed unit has its frames and its commit sent with its statements: all of it or nothing, and nothing after", async () => {
  const project_id = "proj_sealed";
  const put = (unit: Unit, id: string) =>
    unit.query("test_one", "INSERT INTO projects (project_id, title) VALUES ($1, $2)", [id, "sealed"]);
  const count = async (sql: string) => (await kernel.db.pool.query(sql, [project_id])).rows.length;
  const kept = async () => [
    await count("SELECT 1 FROM projects WHERE project_id = $1"),
    await count("SELECT 1 FROM state.journal_packs WHERE project_id = $1"),
  ];
  const frame = { kind: "project", id: project_id, rev: 1 } as never;
  const sealed = (behind: (unit: Unit) => Promise<unknown>) =>
    withUnit(kernel, async (unit) => {
      await unit.query("test_now", "SELECT 1");
      const writing = put(unit, project_id);
      unit.frame(project_id, frame);
      unit.seal(project_id);
      await writing;
      await behind(unit);
    });
  await sealed(async () => undefined);
  expect(await kept()).toEqual([1, 1]);
  // The second row of that id is refused, and its frame with it.
  await expect(sealed(async () => undefined)).rejects.toMatchObject({ code: "23505" });
  expect(await kept()).toEqual([1, 1]);
  await kernel.db.pool.query("DELETE FROM projects WHERE project_id = $1", [project_id]);
  const late = sealed((unit) => put(unit, "proj_behind"));
  await expect(late).rejects.toThrow("after the commit of its unit");
  await kernel.db.pool.query("DELETE FROM projects WHERE project_id = $1", [project_id]);
  await expect(sealed(async (unit) => unit.frame(project_id, frame))).rejects.toThrow("frames after its commit");
  await kernel.db.pool.query("DELETE FROM projects WHERE project_id = $1", [project_id]);
});

test("a unit with a probe is not sealed: the probe may cut it before its commit", async () => {
  const points: string[] = [];
  const probed = { ...kernel, probe: (point: string) => void points.push(point) };
  await withUnit(probed, async (unit) => {
    await rename(unit, "probed");
    await unit.query("test_now", "SELECT 1");
    unit.seal(P);
    await unit.query("test_now", "SELECT 1");
  });
  expect([points, await titleNow()]).toEqual([["before-commit", "after-commit"], "probed"]);
});

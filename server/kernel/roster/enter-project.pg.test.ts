// What foreign keys to the project did: nobody writes into one that is being deleted or was never there, and a project is emptied only
// when whoever had begun to write into it has ended.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { scripted } from "@/server/testing/turns";
import { ENTERED_TABLES } from "../audit/rules";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { createProject } from "./create-project";
import { beginDeletion, deleteProject } from "./delete-project";
import { purgeProject } from "./purge-project";

let kernel: TestKernel;
const P = "p1";
const gone = { code: "not_found", message: `project ${P} not found` };

beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());
beforeEach(async () => {
  for (const id of [P, "other"]) {
    await deleteProject(kernel, id).catch(() => undefined);
    await seedProject(kernel, id, [scripted("Doer", [{ deliver: "done" }])]);
  }
});

const note = (project_id: string) => ({
  project_id,
  metadata: {},
  cards: [{ type: "note", author_id: "ann", content: "words" } as const],
});
/** What waits, and what lets it go on. */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined;
  const shut = new Promise<void>((done) => {
    open = done;
  });
  return [shut, () => open()];
}
const columnOf = (table: string) => (table.includes(".") ? "project_id" : "tenant_id");
const rowsLeft = async () => {
  const { rows } = await kernel.test.pool.query<{ name: string; column: string }>(
    `SELECT c.table_schema || '.' || c.table_name AS name, c.column_name AS column FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name) WHERE t.table_type = 'BASE TABLE'
       AND c.column_name IN ('project_id', 'tenant_id') AND c.table_name NOT LIKE 'journal%'`,
  );
  const left: string[] = [];
  for (const { name, column } of rows)
    if ((await kernel.test.pool.query(`SELECT 1 FROM ${name} WHERE ${column} = $1`, [P])).rowCount) left.push(name);
  return left;
};

/** Tables that outlive a project, or whose rows belong to none. */
const ofNobody: Record<string, string> = {
  "state.idempotency_keys": "requests that were answered, also of a project that is gone; it takes them along",
  "state.journal_packs": "tells of the end of the project, and outlives it",
  "state.kept_results": "a day old at most",
  "state.row_findings": "says what is wrong, also of a project that is gone",
  "state.workers": "workers of all projects stand under *",
};

test("every table of projects is held by a key, or by who writes into it", async () => {
  const { rows } = await kernel.test.pool.query<{ name: string; keyed: boolean; entered: boolean }>(`
    WITH RECURSIVE held AS (
      (SELECT 'projects'::regclass::oid AS of UNION SELECT g.tgrelid FROM pg_trigger g WHERE g.tgname = 'enter_project')
      UNION SELECT f.conrelid FROM held h JOIN pg_constraint f ON f.confrelid = h.of AND f.contype = 'f'
    )
    SELECT c.oid::regclass::text AS name, EXISTS (SELECT 1 FROM pg_constraint f JOIN held h ON h.of = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f') AS keyed,
      EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'enter_project') AS entered
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('project_id', 'tenant_id')
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'resource', 'state') AND c.relname <> 'projects'
    ORDER BY 1`);
  const named = (which: (row: (typeof rows)[number]) => boolean) => rows.filter(which).map(({ name }) => name);
  expect(named((row) => row.entered)).toEqual([...ENTERED_TABLES].sort());
  expect(named((row) => !row.entered && !row.keyed)).toEqual(Object.keys(ofNobody).sort());
  expect(named((row) => row.entered && row.keyed)).toEqual([]);
});

test.each(ENTERED_TABLES)(
  "a row of %s into a project that is not there, or is being deleted, is refused",
  async (table) => {
    const insert = (project: string) =>
      kernel.test.pool.query(`INSERT INTO ${table} (${columnOf(table)}) VALUES ($1)`, [project]);
    await expect(insert("nowhere")).rejects.toMatchObject({ code: "SY404", message: "project nowhere not found" });
    await beginDeletion(kernel, P, {});
    await expect(insert(P)).rejects.toMatchObject({ code: "SY404" });
    // The row itself is not whole, and that is said of a project that is there.
    await expect(insert("other")).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  },
);

test("a verb that writes into a project that is being deleted is told that it is not there, and writes nothing", async () => {
  await beginDeletion(kernel, P, {});
  const before = await countRows(kernel);
  await expect(withUnit(kernel, (unit) => insertCards(unit, note(P)))).rejects.toMatchObject(gone);
  await expect(
    withUnit(kernel, (unit) => createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", items: [] }] })),
  ).rejects.toMatchObject(gone);
  expect(await countRows(kernel)).toEqual(before);
});

test("whoever had begun to write is waited for, and nothing of it is left", async () => {
  const [held, goOn] = gate();
  const [wrote, written] = gate();
  const writer = withUnit(kernel, async (unit) => {
    await insertCards(unit, note(P));
    written();
    await held;
    // It holds the project: what comes now is written too.
    await createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", items: [] }] });
    await insertCards(unit, note(P));
  });
  await wrote;
  await beginDeletion(kernel, P, {});
  expect(await purgeProject(kernel, { project_id: P, untilMs: Date.now() + 1_000 })).toBe(false);
  expect(await rowsLeft()).toContain("public.projects");
  goOn();
  await writer;
  expect(await purgeProject(kernel, { project_id: P, untilMs: Number.POSITIVE_INFINITY })).toBe(true);
  expect(await rowsLeft()).toEqual([]);
});

test("whoever began before the deletion and writes behind its last look is refused", async () => {
  const [held, goOn] = gate();
  const late = withUnit(kernel, async (unit) => {
    await unit.query("test_began", "SELECT 1 FROM projects WHERE project_id = $1", [P]);
    await held;
    await insertCards(unit, note(P));
  });
  await deleteProject(kernel, P);
  goOn();
  await expect(late).rejects.toMatchObject(gone);
  expect(await rowsLeft()).toEqual([]);
});

test("who comes while a part of it is deleted waits for that part, and is refused", async () => {
  const [isInside, inside] = gate();
  const [held, goOn] = gate();
  await beginDeletion(kernel, P, {});
  const probed = {
    ...kernel,
    probe: async (point: string) => {
      if (point !== "purge-part") return;
      inside();
      await held;
    },
  };
  const purge = purgeProject(probed, { project_id: P, untilMs: Number.POSITIVE_INFINITY });
  await isInside;
  const late = withUnit(kernel, (unit) => insertCards(unit, note(P)));
  late.catch(() => undefined);
  const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  await expect.poll(async () => (await kernel.test.pool.query(waits)).rowCount).toBe(1);
  goOn();
  expect(await purge).toBe(true);
  await expect(late).rejects.toMatchObject(gone);
  expect(await rowsLeft()).toEqual([]);
});

test("a transaction holds each project that it writes into once, whatever it writes", async () => {
  const holds = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
  const held = await withUnit(kernel, async (unit) => {
    for (const project_id of [P, "other", P])
      for (let i = 0; i < 3; i++) {
        await insertCards(unit, note(project_id));
        await createBoxes(unit, { project_id, boxes: [{ kind: "plain", items: [] }] });
      }
    const [row] = await unit.query<{ n: number }>("test_holds", holds);
    return row?.n;
  });
  expect(held).toBe(2);
  // Another project's writers are not held up by a deletion.
  await beginDeletion(kernel, P, {});
  await withUnit(kernel, async (unit) => {
    await insertCards(unit, note("other"));
    expect(await purgeProject(kernel, { project_id: P, untilMs: Number.POSITIVE_INFINITY })).toBe(true);
  });
  await createProject(kernel, { project_id: P, title: "Anew" });
  await withUnit(kernel, (unit) => insertCards(unit, note(P)));
});

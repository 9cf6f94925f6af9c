// A kernel on its own database, with a doorbell that records its rings.
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { advanceAfter, onTurnsEnded } from "@/server/kernel/plan/on-turns-ended";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { openTestDatabase, type TestDatabase } from "./database";

export type TestKernel = Kernel & { test: TestDatabase; close: () => Promise<void> };

export async function openTestKernel(parts: Partial<Kernel> = {}): Promise<TestKernel> {
  const test = await openTestDatabase();
  return {
    ...createKernel({
      db: test.db,
      doorbell: createMemoryDoorbell(),
      onTurnsEnded,
      onPlanDue: advanceAfter,
      ...parts,
    }),
    test,
    close: test.close,
  };
}

/** A project with the given profiles; a profile without a policy gets the one that allows all. */
export async function seedProject(
  kernel: Kernel,
  project_id: string,
  profiles: ({ name: string } & Record<string, unknown>)[] = [],
): Promise<void> {
  await createProject(kernel, { project_id, title: project_id });
  for (const profile of profiles)
    await withUnit(kernel, (unit) =>
      saveProfile(unit, {
        project_id,
        author_id: "test",
        profile: parseProfile({
          delegation_policy: { target_tags: [] },
          system_prompt: "You are {display_name}.",
          ...profile,
        }),
      }),
    );
}

/** Rows in every table of the product but that of how far a check has come: equal before and after a refusal. */
export async function countRows(kernel: Kernel): Promise<Record<string, number>> {
  const { rows: tables } = await kernel.db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'resource', 'state') AND tablename NOT IN ('_prisma_migrations', 'row_checks') ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await kernel.db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

/** Waits until every frame is below the horizon. An open transaction in another test's database delays it too. */
export async function untilVisible(kernel: Kernel): Promise<void> {
  for (;;) {
    const { rows } = await kernel.db.pool.query<{ is_held: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM state.journal WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS is_held",
    );
    if (!rows[0]?.is_held) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

/**
 * One hash for each table: equal before and after anything that must leave no trace. Sightings of workers and the
 * journal's notes of late writes are not counted.
 */
export async function readTables(kernel: Kernel): Promise<Record<string, string>> {
  const { rows: tables } = await kernel.db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'resource', 'state') AND tablename NOT IN ('_prisma_migrations', 'workers', 'journal_packs') ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  const hash = (from: string) =>
    `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash FROM ${from}`;
  const read = async (from: string) => (await kernel.db.pool.query<{ hash: string }>(hash(from))).rows[0]?.hash ?? "";
  for (const { name } of tables) hashes[name] = await read(`${name} t`);
  hashes["state.journal"] = await read("state.journal t WHERE kind <> 'rejected_late'");
  return hashes;
}

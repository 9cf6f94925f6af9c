// A project of any size with every table filled, of one shape whatever the size: what is asked of a small one and of a large
// one can be compared. Runs have a thousand turns, or as many as
// asked for; every turn ten cards, two boxes of its own, and a request. Ids are in the
// order of time, and another project has others.
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Kernel } from "@/server/kernel/kernel";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { seedAround } from "./seed-around";
import { seedCards } from "./seed-cards";
import { seedTurns } from "./seed-turns";

export type SeedKind =
  | "alarm_"
  | "turn_"
  | "card_"
  | "in_"
  | "out_"
  | "req_"
  | "agent_"
  | "batch_"
  | "step_"
  | "hr_"
  | "prun_";

/** Turns of a run where nothing else is asked for, and cards of a turn. */
export const RUN_TURNS = 1_000;
export const TURN_CARDS = 10;
/** Their letters in headcodes are their first. */
const SEED_PROFILES = ["Archivist", "Builder", "Critic", "Worker"];

/** The id of the i-th, the oldest is 0: the same here and in SQL. */
export function seedId(project_id: string, kind: SeedKind, i: number): string {
  const tail = createHash("md5").update(`${project_id}${kind}${i}`).digest("hex").slice(0, 16);
  return `${kind}01a2${i.toString(16).padStart(12, "0")}${tail}`;
}

const IDS = `
  CREATE OR REPLACE FUNCTION pg_temp.sid(project text, kind text, i bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT kind || '01a2' || lpad(to_hex(i), 12, '0') || substr(md5(project || kind || i), 1, 16) $$`;

/**
 * Into a project that exists. `client` belongs to a superuser: rows are written without asking for each whether what it refers
 * to is there, which would take most of the time. Ends with what the planner knows brought up to date.
 */
export async function seedMany(
  kernel: Kernel,
  client: pg.Client,
  input: { project_id: string; turns: number; run_turns?: number },
): Promise<void> {
  const { project_id, turns, run_turns = RUN_TURNS } = input;
  for (const name of SEED_PROFILES) {
    const profile = parseProfile({
      name,
      system_prompt: "You are {display_name}.",
      delegation_policy: { target_tags: [] },
    });
    await withUnit(kernel, (unit) => saveProfile(unit, { project_id, author_id: "seed", profile }));
  }
  await client.query(IDS);
  await client.query("SET session_replication_role = replica");
  await client.query("SET synchronous_commit = off; SET work_mem = '128MB'; SET maintenance_work_mem = '512MB'");
  await withoutIndexes(client, turns, async () => {
    const run = (text: string) =>
      client.query(
        text.replaceAll("$P", `'${project_id}'`).replaceAll("$N", String(turns)).replaceAll("$R", String(run_turns)),
      );
    for (const text of [...seedCards, ...seedTurns, ...seedAround]) await run(text);
  });
  await client.query("SET session_replication_role = origin");
  await client.query("VACUUM ANALYZE");
}

/** Built at the end of a large seed, in a tenth of the time that row by row takes. */
const LATE = ["card_search_body", "box_chunks_by_card", "card_boxes_by_carried"];
const MANY_TURNS = 20_000;

async function withoutIndexes(client: pg.Client, turns: number, work: () => Promise<void>): Promise<void> {
  if (turns < MANY_TURNS) return work();
  const { rows } = await client.query<{ name: string; made: string }>(
    "SELECT indexname AS name, indexdef AS made FROM pg_indexes WHERE indexname = ANY ($1)",
    [LATE],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await work();
  for (const { made } of rows) await client.query(made);
}

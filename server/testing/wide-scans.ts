// How Postgres would run a statement of a unit: whether it finds the rows of tables that grow with every run by more than their project.
import type pg from "pg";

const GROWING = ["agent_turns", "agent_steps", "project_agents", "cards", "card_boxes", "box_chunks", "due"];

type Plan = {
  "Node Type": string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Relation Name"?: string;
  Plans?: Plan[];
};

/** The settings of units (server/kernel/unit.ts), but for the generic plan that `wideScans` asks for. */
export async function planAsUnits(client: pg.ClientBase): Promise<void> {
  for (const kind of ["seqscan", "hashjoin", "mergejoin"]) await client.query(`SET enable_${kind} = off`);
}

/** Scans of a growing table without an index, or with one of which only the first column is known. */
export async function wideScans(client: pg.ClientBase, text: string): Promise<string[]> {
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  return rows.flatMap((row) => row["QUERY PLAN"]).flatMap(({ Plan }) => scansOf(Plan));
}

function scansOf(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  const index = plan["Index Name"];
  const table = plan["Relation Name"] ?? GROWING.find((name) => index?.startsWith(`${name}_`));
  const cond = plan["Index Cond"];
  const isLookUp = index !== undefined && (cond?.includes(" AND ") || /carried|by_card|by_base/.test(index));
  if (!table || !GROWING.includes(table) || isLookUp || !/Scan/.test(plan["Node Type"])) return below;
  // A bitmap's rows are found by the index scans below it, and a row's place by a scan beside it.
  if (plan["Node Type"] === "Bitmap Heap Scan" || plan["Node Type"] === "Tid Scan") return below;
  return [`${plan["Node Type"]} of ${table} by ${index ?? "nothing"} (${cond ?? "all of it"})`, ...below];
}

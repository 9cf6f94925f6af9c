// The data that exists before the first request: two projects with cards, boxes, tools, a run that has ended and one that
// waits for a worker that never comes. For requests to one project, the ids of the other are foreign.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { root } from "@/scripts/source-stamp";
import type { FuzzServer } from "./server";
import type { Known } from "./values";

const own = "fuzz_a";
const stranger = "fuzz_b";
const readyMs = 60_000;

const lead = `
name: Lead
delegation_policy: { target_tags: [], target_profiles: [Hand] }
allowed_tools: [delegate_async]
llm_config:
  provider: script
  script:
    - { think: "Two hands." }
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Hand, instruction: "the first half" } }
    - { deliver: "On its way." }
`;
const hand = "name: Hand\nllm_config: { provider: script, script: [{ think: Reading. }, { deliver: It weighs. }] }\n";
const patient = "name: Patient\nworker_target: fuzz\n";
const tool = "tool_name: look_up\ndescription: Looks it up\nparameters: { type: object }\n";

export async function setStage(server: FuzzServer, pool: pg.Pool): Promise<Known> {
  for (const project of [own, stranger]) await fill(server.url, project);
  const env = { ...process.env, DATABASE_URL: server.database_url, SWITCHYARD_TOKEN: "", SWITCHYARD_LOG: "error" };
  const worker = spawn(
    process.execPath,
    ["--import", "./scripts/leave-with-parent.mjs", "--import", "tsx", "server/worker/main.ts"],
    {
      cwd: root,
      env: { ...env, SWITCHYARD_SUPERVISOR: String(process.pid) },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const ended = new Promise((done) => worker.once("exit", done));
  try {
    await untilRun(pool);
  } finally {
    worker.kill("SIGTERM");
    await ended;
  }
  return { own: await idsOf(pool, own), foreign: await idsOf(pool, stranger), project: own, stranger };
}

async function fill(url: string, project_id: string): Promise<void> {
  const api = apiOf(`${url}/api/v1`);
  await api("/projects", { project_id, title: project_id });
  const at = `/projects/${project_id}`;
  for (const yaml of [lead, hand, patient]) await api(`${at}/profiles`, yaml);
  await api(`${at}/tools`, tool);
  const { cards } = (await api(`${at}/cards`, {
    cards: [
      { type: "sys.note", content: "one" },
      { type: "sys.note", content: { kind: "json", data: { a: [1, 2] } } },
    ],
  })) as { cards: { card_id: string }[] };
  await api(`${at}/boxes`, { card_ids: cards.map((card) => card.card_id) });
  for (const target_ref of ["Lead", "Patient", "Patient"])
    await api(`${at}/pmo/delegate_async:call`, {
      args: { target_strategy: "new", target_ref, instruction: "weigh it" },
    });
}

const apiOf = (base: string) => async (path: string, body: unknown) => {
  const isYaml = typeof body === "string";
  const answer = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": isYaml ? "text/yaml" : "application/json" },
    body: isYaml ? body : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the stage: POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** Lead and the hand it calls, in both projects. */
async function untilRun(pool: pg.Pool): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await sleep(100)) {
    const { rows } = await pool.query("SELECT 1 FROM state.agent_turns WHERE status = 'success'");
    if (rows.length >= 4) return;
  }
  throw new Error(`the runs of the stage have not ended within ${readyMs / 1000} s`);
}

/** Some values of every column that names something. */
async function idsOf(pool: pg.Pool, project: string): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string; scope: string; fields: string[] }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name,
       max(column_name) FILTER (WHERE column_name IN ('project_id', 'tenant_id')) AS scope,
       array_agg(column_name::text) FILTER (WHERE data_type = 'text' AND column_name ~ '(_id|_name|headcode)$') AS fields
     FROM information_schema.columns WHERE table_schema IN ('public', 'resource', 'state') GROUP BY 1
     HAVING count(*) FILTER (WHERE column_name IN ('project_id', 'tenant_id')) > 0`,
  );
  const ids = new Map<string, Set<string>>();
  for (const { name, scope, fields } of rows)
    for (const field of fields ?? []) {
      const found = await pool.query<{ value: string }>(
        `SELECT DISTINCT ${pg.escapeIdentifier(field)} AS value FROM ${name} WHERE ${scope} = $1 AND ${pg.escapeIdentifier(field)} IS NOT NULL LIMIT 12`,
        [project],
      );
      const all = ids.get(field) ?? new Set();
      for (const { value } of found.rows) all.add(value);
      ids.set(field, all);
    }
  ids.set("profile_name", new Set(["Lead", "Hand", "Patient"]));
  return new Map([...ids].map(([field, values]) => [field, [...values]]));
}

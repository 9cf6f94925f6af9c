// What a newcomer sees first: the yard's bar at 1440 pixels, the transcript and the table, and two thousand turns of different agents,
// which no rule folds.
import pg from "pg";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const CHILDREN = 6;
const TURNS = 2_000;

test("the bar, the transcript and the table", async ({ product, page }, info) => {
  const project = await makeProject(product.url, `First ${info.project.name}`, { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  const theme = info.project.name === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  const at = `${product.url}/p/${project}`;
  const pages: Record<string, string> = {
    first: `${at}?run=${root_turn_id}`,
    "first-legend": `${at}?run=${root_turn_id}&legend=1`,
    "first-tree": `${at}?run=${root_turn_id}&view=tree`,
    "first-transcript": `${at}/runs/${root_turn_id}/transcript?q=half`,
    "first-runs": `${at}/runs`,
  };
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(address);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `e2e/shots/${name}-${info.project.name}.png`, animations: "disabled" });
  }
});

const names = ["Planner", "Reader", "Searcher", "Writer", "Checker", "Counter", "Weigher", "Editor", "Lister", "Judge"];
const work = [
  "Weigh the",
  "Read the reports of",
  "Check the figures of",
  "Compare prices for",
  "Write a note on",
  "List what lacks in",
];

test("two thousand turns of different agents", async ({ product, page }, info) => {
  test.setTimeout(180_000);
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", {
    title: `Many ${info.project.name}`,
  });
  const client = new pg.Client({ connectionString: product.database_url });
  await client.connect();
  try {
    await client.query(ROWS, []);
    await client.query(`SELECT pg_temp.many($1, $2, $3, $4, $5)`, [project_id, TURNS, CHILDREN, names, work]);
  } finally {
    await client.end();
  }
  const theme = info.project.name === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  await page.goto(`${product.url}/p/${project_id}`);
  await expect(page.getByText(/2,000 of 2,000 turns/)).toBeVisible({ timeout: 60_000 });
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `e2e/shots/many-${info.project.name}.png`, animations: "disabled" });
  await page.keyboard.press("0");
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `e2e/shots/many-fit-${info.project.name}.png`, animations: "disabled" });
});

const ROWS = `
  CREATE FUNCTION pg_temp.many(project text, turns int, children int, names text[], works text[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist) VALUES (project, project || '_box', 'context', 0, 0, '');
    INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist)
      SELECT project, project || '_box' || i, 'profile', 0, 0, '' FROM generate_series(0, 59) i;
    INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target)
      SELECT project, project || '_box' || i, names[i % 10 + 1] || ' ' || i, 'nobody' FROM generate_series(0, 59) i;
    INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, display_name, worker_target)
      SELECT project, project || '_a' || i, project || '_box' || i % 60, names[i % 60 % 10 + 1] || ' ' || i % 60, names[i % 60 % 10 + 1] || ' ' || i % 60, 'nobody'
      FROM generate_series(0, turns - 1) i;
    INSERT INTO state.runs (project_id, root_turn_id, number, title, source) VALUES (project, project || '_t0', 1, 'Two thousand turns', 'launch');
    UPDATE projects SET run_count = 1 WHERE project_id = project;
    INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, status, root_turn_id, primitive, depth, trace_id, profile_box_id,
        profile_name, worker_target, context_box_id, output_box_id, headcode, title, deliverable_card_id, parent_turn_id, context_tokens,
        context_consist, window_tokens, fullest_tokens, created_at, started_at, ended_at)
      SELECT project, project || '_t' || i, project || '_a' || i, CASE WHEN i % 97 = 96 THEN 'failed' ELSE 'success' END, project || '_t0',
        'delegate_async', 1 + floor(ln(greatest(1, i) * (children - 1)) / ln(children))::int, 'x', project || '_box' || i % 60,
        names[i % 60 % 10 + 1] || ' ' || i % 60, 'nobody', project || '_box', project || '_box', '2' || chr(65 + i % 26) || lpad(i::text, 4, '0'),
        works[i % 6 + 1] || ' part ' || i, 'd', CASE WHEN i > 0 THEN project || '_t' || (i - 1) / children END, 4000, 'S800 U1200 A2000', 32000,
        4000 + i * 9 % 20000, now() - (turns - i) * interval '1 s', now() - (turns - i) * interval '1 s', now()
      FROM generate_series(0, turns - 1) i;
  $$`;

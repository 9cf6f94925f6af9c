// The lenses of the yard for a person to look at: a fork with an expert, and a log that other people wrote.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { api } from "./scenes";

const LOGS = ["hand-crafted-11", "algorithm-generated-31"].map((name) => `../shared/data/who-and-when/${name}.json`);

test("the lenses", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const project = await makeForkProject(url, `Lenses ${info.project.name}`);
  const { batch_id, root_turn_id } = await fork(url, project, five, { deadline_seconds: 900 });
  await batchEnds(url, project, batch_id, "partial");
  const runs: [string, string][] = [[project, root_turn_id]];
  for (const file of LOGS)
    if (existsSync(file)) {
      const run = await api<{ root_turn_id: string }>(
        url,
        "POST",
        `/projects/${project}/imports?format=who-and-when`,
        readFileSync(file, "utf8"),
      );
      runs.push([project, run.root_turn_id]);
    }
  const demo = await api<{ items: { root_turn_id: string }[] }>(url, "GET", "/projects/demo/runs").catch(() => null);
  for (const run of demo?.items.slice(0, 1) ?? []) runs.push(["demo", run.root_turn_id]);
  for (const [i, [p, run]] of runs.entries()) {
    const flow = await api<{ edges: { from: string; to: string }[] }>(url, "GET", `/projects/${p}/runs/${run}/flow`);
    const edge = flow.edges.find(({ from }) => !from.includes(":"));
    const looks = {
      flow: "lens=flow",
      "flow-turn": `lens=flow&turn=${edge?.to}`,
      "flow-edge": `lens=flow&turn=${edge?.to}&flow_from=${edge?.from}&flow_to=${edge?.to}`,
      agents: "lens=agents",
      "agents-turn": `lens=agents&turn=${edge?.to}`,
    };
    for (const [name, search] of Object.entries(looks)) {
      await page.goto(`${url}/p/${p}?run=${run}&${search}`);
      await expect(page.getByText(/tokens handed over|turns?$/).first()).toBeVisible();
      await page.waitForTimeout(700);
      await page.screenshot({ path: `e2e/shots/lens-${i}-${name}-${info.project.name}.png` });
    }
  }
});

// The lenses of the yard for a person to look at: a fork with an expert, agents whose windows were filled to all five steps, many agents
// alike, and logs that other people wrote.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { makeWindowsRun } from "./lens-scenes";
import { api } from "./scenes";

const LOGS = ["hand-crafted-11", "algorithm-generated-31"].map((name) => `../shared/data/who-and-when/${name}.json`);

test("the lenses", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const project = await makeForkProject(url, `Lenses ${info.project.name}`);
  const { batch_id, root_turn_id } = await fork(url, project, five, { deadline_seconds: 900 });
  await batchEnds(url, project, batch_id, "partial");
  const windows = await makeWindowsRun(url, project, 17);
  const runs: [string, string][] = [
    [project, root_turn_id],
    [project, windows],
  ];
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
  const isPhone = (page.viewportSize()?.width ?? 1440) < 720;
  for (const [i, [p, run]] of runs.entries()) {
    const flow = await api<{ edges: { from: string; to: string }[] }>(url, "GET", `/projects/${p}/runs/${run}/flow`);
    const edge = flow.edges.find(({ from }) => !from.includes(":"));
    const looks: Record<string, string> = {
      flow: "lens=flow",
      "flow-edge": `lens=flow&turn=${edge?.to}&flow_from=${edge?.from}&flow_to=${edge?.to}`,
      agents: "lens=agents",
      ...(isPhone ? {} : { "agents-turn": `lens=agents&turn=${edge?.to}` }),
    };
    for (const [name, search] of Object.entries(looks)) {
      await page.goto(`${url}/p/${p}?run=${run}&${search}`);
      // A phone has the agents as a list, without the figures of the ground.
      const drawn =
        isPhone && name.startsWith("agents")
          ? page.locator(".agents-list .agent-node")
          : page.getByText(/tokens handed over$/);
      await expect(drawn.first()).toBeVisible({ timeout: 15_000 });
      await page.waitForTimeout(900);
      await page.screenshot({ path: `e2e/shots/lens-${i}-${name}-${info.project.name}.png` });
    }
  }
});

// A run as time for a person to look at: logs that other people wrote, at a moment in their middle, a part of them, by agent and as lanes.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const LOGS = ["hand-crafted-11", "algorithm-generated-31"].map((name) => `../shared/data/who-and-when/${name}.json`);

test("time", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const project = await makeProject(url, `Time ${info.project.name}`, { isBrisk: true });
  const { root_turn_id } = await launchLead(url, project);
  await runEnds(url, project);
  const runs = [root_turn_id];
  for (const file of LOGS)
    if (existsSync(file)) {
      const path = `/projects/${project}/imports?format=who-and-when`;
      runs.push((await api<{ root_turn_id: string }>(url, "POST", path, readFileSync(file, "utf8"))).root_turn_id);
    }
  const isPhone = (page.viewportSize()?.width ?? 1440) < 720;
  for (const [i, run] of runs.entries()) {
    const { frames } = await api<{ frames: { kind: string; created_at: string; ended_at?: string }[] }>(
      url,
      "GET",
      `/projects/${project}/runs/${run}/as-of?at=2100-01-01T00:00:00Z`,
    );
    const turns = frames.filter(({ kind }) => kind === "turn");
    const times = turns.flatMap(({ created_at, ended_at }) => [created_at, ended_at ?? created_at]).sort();
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? "";
    const looks: Record<string, string> = {
      moment: `at=${at(0.5)}`,
      "moment-agents": `lens=agents&at=${at(0.5)}`,
      ...(isPhone
        ? {}
        : {
            rows: "rows=agents",
            part: `from=${at(0.3)}&to=${at(0.7)}&at=${at(0.5)}`,
            lanes: "view=lanes",
            "lanes-moment": `view=lanes&at=${at(0.6)}`,
          }),
    };
    for (const [name, search] of Object.entries(looks)) {
      await page.goto(`${url}/p/${project}?run=${run}&${search}`);
      await expect(
        page.locator(".react-flow__node, .swim-lanes, .agent-node, .phone-bar, .yard-overview").first(),
      ).toBeVisible();
      await page.waitForTimeout(1_200);
      await page.screenshot({ path: `e2e/shots/time-${i}-${name}-${info.project.name}.png` });
    }
  }
});

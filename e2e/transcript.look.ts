// The transcript and the table of a run to photograph, beside pages.look.ts.
import { existsSync, readFileSync } from "node:fs";
import { test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const LOGS = ["hand-crafted-46", "algorithm-generated-31"].map((name) => `../shared/data/who-and-when/${name}.json`);

test("transcript and table", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const project = await makeProject(url, `Transcript ${info.project.name}`, { isBrisk: true });
  const { root_turn_id, child } = await launchLead(url, project);
  await runEnds(url, project);
  const at = `/p/${project}`;
  const pages: Record<string, string> = {
    transcript: `${at}/runs/${root_turn_id}/transcript`,
    "transcript-turn": `${at}/runs/${root_turn_id}/transcript?turn=${child}`,
    tree: `${at}?view=tree&run=${root_turn_id}`,
    "tree-turn": `${at}?view=tree&run=${root_turn_id}&turn=${child}`,
    "yard-views": `${at}?run=${root_turn_id}`,
  };
  for (const [i, file] of LOGS.filter((log) => existsSync(log)).entries()) {
    const { root_turn_id: run } = await api<{ root_turn_id: string }>(
      url,
      "POST",
      `/projects/${project}/imports?format=who-and-when`,
      readFileSync(file, "utf8"),
    );
    pages[`transcript-log-${i}`] = `${at}/runs/${run}/transcript`;
    pages[`tree-log-${i}`] = `${at}?view=tree&run=${run}`;
  }
  const theme = info.project.name === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(`${url}${address}`);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(1500);
    if (name.startsWith("transcript-log")) {
      await page.keyboard.press("m");
      await page.waitForTimeout(600);
    }
    await page.screenshot({ path: `e2e/shots/${name}-${info.project.name}.png`, animations: "disabled" });
  }
});

// The pages to photograph, with a finished run, a running one and a real log if there is one. A picture's name is
// <page>-<project>.png.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { batchEnds, endlessTwo, five, fork, makeForkProject, queueBehind, stopFork } from "./fork-scenes";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const LOG = "../shared/data/who-and-when/hand-crafted-11.json";
const CHAT = "../shared/data/who-and-when/algorithm-generated-31.json";

test("every page", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const project = await makeProject(url, `Look ${info.project.name}`);
  const empty = (await api<{ project_id: string }>(url, "POST", "/projects", { title: `Empty ${info.project.name}` }))
    .project_id;
  const { root_turn_id, child } = await launchLead(url, project);
  await runEnds(url, project);
  const turn = await api<{
    context_box_id: string;
    output_box_id: string;
    instruction_card_id: string;
    agent_id: string;
  }>(url, "GET", `/projects/${project}/turns/${child}`);
  const imported: string[] = [];
  for (const file of [LOG, CHAT])
    if (existsSync(file)) {
      const { root_turn_id: run } = await api<{ root_turn_id: string }>(
        url,
        "POST",
        `/projects/${project}/imports?format=who-and-when`,
        readFileSync(file, "utf8"),
      );
      imported.push(run);
    }
  const forks = await makeForkProject(url, `Forks ${info.project.name}`);
  const { batch_id } = await fork(url, forks, five, { deadline_seconds: 900 });
  await batchEnds(url, forks, batch_id, "partial");
  const open = await fork(url, forks, endlessTwo, { max_parallel: 1, deadline_seconds: 900 });
  await queueBehind(url, forks, open);
  const at = `/p/${project}`;
  const pages: Record<string, string> = {
    projects: "/",
    "first-run": `/p/${empty}`,
    yard: `${at}?run=${root_turn_id}`,
    "yard-selected": `${at}?run=${root_turn_id}&turn=${child}`,
    "yard-import": `${at}?run=${imported[0] ?? root_turn_id}`,
    "yard-group-chat": `${at}?run=${imported[1] ?? root_turn_id}`,
    runs: `${at}/runs`,
    boxes: `${at}/boxes`,
    box: `${at}/boxes/${turn.output_box_id}?card=2`,
    cards: `${at}/cards`,
    card: `${at}/cards/${turn.instruction_card_id}`,
    agents: `${at}/agents`,
    agent: `${at}/agents/${turn.agent_id}`,
    profiles: `${at}/profiles`,
    profile: `${at}/profiles/Lead`,
    composer: `${at}?launch=1&target=new:Lead&boxes=${turn.output_box_id}`,
    "composer-fork": `${at}?launch=1&kind=fork&target=new:Lead&boxes=${turn.output_box_id}`,
    packing: `${at}?pack=1&for=Lead&boxes=${turn.output_box_id}`,
    missing: `${at}/boxes/nowhere`,
    batches: `/p/${forks}/batches`,
    batch: `/p/${forks}/batches/${batch_id}?task=4`,
    "batch-open": `/p/${forks}/batches/${open.batch_id}`,
    inbox: `/p/${forks}/inbox?ended=true`,
  };
  const theme = info.project.name === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(`${url}${address}`);
    // The page has its fonts and has stopped moving; network idle never comes while a stream is open.
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `e2e/shots/${name}-${info.project.name}.png`, animations: "disabled" });
  }
  await stopFork(url, forks, open);
  await launchLead(url, project);
  await page.goto(`${url}${at}`);
  await page.waitForTimeout(2200);
  await page.screenshot({ path: `e2e/shots/yard-moving-${info.project.name}.png` });
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("hand");
  await page.waitForTimeout(900);
  await page.screenshot({ path: `e2e/shots/palette-${info.project.name}.png` });
});

test.use({ expectedErrors: [/404/] });

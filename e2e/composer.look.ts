// The states of the composer to photograph, with a plan as in the design's pictures: a frame, an expert, three searches behind a gate,
// a writer that goes on as the same agent, and a last reader that a person lets start.
import type { Page } from "@playwright/test";
import { canvas, inspector, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const words = (text: string, times: number) => `${text} `.repeat(times);
/** `slow`: its first step goes on for a while, so that a picture of a run shows one that runs. */
const script = (slow: boolean) =>
  slow
    ? [{ think: "Reading." }, { deliver: "Found.", wait_ms: 60_000, note: "vanadium pentoxide, 2025" }]
    : [{ think: "Reading what was handed over." }, { deliver: words("One frame for all three, at 10 hours.", 30) }];

async function seed(url: string, title: string) {
  const { project_id: project } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const [name, description, slow] of [
    ["Associate_Search", "search and fetch", true],
    ["Storage_Expert", "answers questions", false],
    ["Principal_Planner", "plans and checks", false],
    ["Table_Reader", "reads tables", false],
  ] as const)
    await api(url, "POST", `/projects/${project}/profiles`, {
      name,
      description,
      llm_config: { provider: "script", context_window: 32_000, script: script(slow) },
    });
  const box = async (type: string, text: string) =>
    (
      await api<{ box_id: string }>(url, "POST", `/projects/${project}/boxes`, {
        cards: [{ type, role: type === "tool.result" ? "tool" : "user", content: { kind: "text", text } }],
      })
    ).box_id;
  const style = await box("context.pack", words("House style: short sentences, every figure with its source.", 90));
  const hits = await box("tool.result", words("search_index 12 hits: vanadium, zinc-bromine and iron cells.", 130));
  const search = (id: string, name: string, more: object = {}) => ({
    id,
    title: name,
    target: { ref: "Associate_Search" },
    instruction: `Find sourced 2030 cost projections for ${name.toLowerCase()} at 10 h. Use the comparison frame.`,
    attempts: 2,
    ...more,
  });
  const body = {
    switchyard: "plan/1",
    name: "storage-brief",
    nodes: [
      {
        id: "frame",
        title: "Fix the frame",
        target: { ref: "Principal_Planner" },
        instruction: "Say which storage is compared, and by which figures.",
      },
      {
        id: "wacc",
        kind: "ask",
        title: "WACC and cycles",
        target: { ref: "Storage_Expert" },
        instruction: "Which WACC and how many cycles are fair?",
        load: [{ from: "frame" }],
      },
      {
        id: "searches",
        kind: "fork",
        title: "Three searches",
        load: [{ box: style }, { from: "frame" }],
        gate: { deadline_seconds: 900 },
        tasks: [
          search("iron", "Iron-air"),
          search("flow", "Flow batteries", { load: [{ box: hits }], context_tokens_max: 16_000 }),
          search("thermal", "Thermal"),
        ],
      },
      {
        id: "brief",
        title: "Write the brief",
        target: { strategy: "reuse", ref: "@frame" },
        instruction: "One page from what was found.",
        load: [{ box: style }, { from: "searches" }, { from: "wacc" }],
      },
      {
        id: "tables",
        title: "Check the tables",
        target: { ref: "Table_Reader" },
        instruction: "Check every figure against its source.",
        load: [{ from: "brief" }],
        hold: true,
      },
    ],
  };
  await api(url, "POST", `/projects/${project}/plans`, body);
  return { project, style, body };
}

test("the composer", async ({ product, page }, info) => {
  test.setTimeout(300_000);
  const { url } = product;
  const on = info.project.name;
  const { project, body } = await seed(url, `grid-storage ${on}`);
  const theme = on === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  const take = async (name: string) => {
    await page.evaluate(() => document.fonts.ready);
    // What was said is gone, and nothing moves.
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: `e2e/shots/composer-${name}-${on}.png`, animations: "disabled" });
  };
  await page.goto(`/p/${project}/compose`);
  await expect(on === "phone" ? page.locator("main") : canvas(page)).toBeVisible();
  await take("empty");

  await page.goto(`/p/${project}/compose/storage-brief`);
  await expect(page.getByText("Check the tables").first()).toBeVisible();
  await take("opened");
  if (on !== "phone") {
    await wagon(page, "searches.flow").click();
    await expect(inspector(page)).toContainText("Flow batteries");
    await take("plan");
    await canvas(page).focus();
    await page.keyboard.press("h");
    await expect(page.getByRole("list", { name: "Order the model reads" })).toBeVisible();
    await take("order");
    await page.keyboard.press("Escape");
    await track(page);
    await take("wire");
    await page.keyboard.press("Escape");
    await page.mouse.up();
  }
  // A frame that nobody may read in so small a window, and a task without words.
  const wrong = structuredClone(body) as { name: string; nodes: { tasks?: object[]; instruction?: string }[] };
  wrong.name = "storage-brief-wrong";
  wrong.nodes[2]?.tasks?.splice(1, 1, { ...wrong.nodes[2].tasks[1], context_tokens_max: 2_000 });
  wrong.nodes[4] = { ...wrong.nodes[4], instruction: "" };
  const { draft_id } = await api<{ draft_id: string }>(url, "POST", `/projects/${project}/plan-drafts`, {
    body: wrong,
  });
  await page.goto(`/p/${project}/compose?draft=${draft_id}`);
  await expect(page.getByText("Check the tables").first()).toBeVisible();
  await expect(page.getByText("2 problems").first()).toBeVisible();
  if (on !== "phone") {
    await canvas(page).focus();
    await page.keyboard.press("F8");
    await canvas(page).focus();
    await page.keyboard.press("d");
  }
  await take("error");

  const { root_turn_id } = await api<{ root_turn_id: string }>(
    url,
    "POST",
    `/projects/${project}/pmo/launch_plan:call`,
    {
      args: { body: { ...body, name: "" } },
    },
  );
  await page.goto(`/p/${project}/compose?run=${root_turn_id}`);
  // On a phone a run is watched in the yard.
  const runs = on === "phone" ? page.getByRole("button", { name: "3 running" }) : page.getByText("vanadium pentoxide");
  await expect(runs.first()).toBeVisible({ timeout: 60_000 });
  if (on !== "phone") await wagon(page, "searches.flow").click();
  await take("live");
});

/** A track on its way from a task to a wagon behind its gate. */
async function track(page: Page): Promise<void> {
  await wagon(page, "searches.thermal").hover();
  const from = await page.locator('[data-coupling="searches.thermal"]').boundingBox();
  const to = await wagon(page, "tables").boundingBox();
  if (!from || !to) throw new Error("no track can be drawn");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
}

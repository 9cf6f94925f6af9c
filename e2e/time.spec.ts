// A run at other moments than now: by keys alone, played, in a part of its time, by agent and as lanes.
import type { Locator, Page } from "@playwright/test";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const playhead = (page: Page) => page.getByRole("slider", { name: "Moment shown" });
const canvas = (page: Page) => page.getByRole("application", { name: /Track plan/ });
const back = (page: Page) => page.getByRole("button", { name: /Back to live/ });

async function openEnded(page: Page, url: string, title: string): Promise<{ project: string; root: string }> {
  const project = await makeProject(url, title, { isBrisk: true });
  const { root_turn_id: root } = await launchLead(url, project);
  await runEnds(url, project);
  await page.goto(`${url}/p/${project}?run=${root}`);
  await expect(playhead(page)).toBeVisible();
  return { project, root };
}

test("by keys alone: to the beginning, event by event, and back to now", async ({ page, product }) => {
  await openEnded(page, product.url, "Steps in time");
  await expect(canvas(page).getByRole("img", { name: /^2H02/ })).toBeVisible();
  await playhead(page).focus();
  await page.keyboard.press("Home");
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /^2H02/ })).toHaveCount(0);
  await expect.poll(() => param(page, "at")).toMatch(/^2\d{3}-\d\d-\d\dT.*Z$/);
  const first = await playhead(page).getAttribute("aria-valuenow");
  for (let event = 0; event < 3; event++) await page.keyboard.press(".");
  await expect(playhead(page)).not.toHaveAttribute("aria-valuenow", first ?? "");
  await expect(playhead(page)).toHaveAttribute("aria-valuetext", /after \d+ of \d+ events/);
  // What stands then is what the server tells of then.
  const at = param(page, "at") ?? "";
  const asOf = await api<{ source: string; frames: { kind: string }[] }>(
    product.url,
    "GET",
    `/projects/${page.url().split("/p/")[1]?.split("?")[0]}/runs/${param(page, "run")}/as-of?at=${at}`,
  );
  expect(asOf.source).toBe("journal");
  await expect(canvas(page)).toHaveAttribute(
    "aria-label",
    new RegExp(`of ${asOf.frames.filter(({ kind }) => kind === "turn").length} turns`),
  );
  // A link shows another person the same moment.
  await page.reload();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /^2H02/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(back(page)).toHaveCount(0);
  await expect(canvas(page).getByRole("img", { name: /^2H02, Hand, success/ })).toBeVisible();
  expect(param(page, "at")).toBeNull();
});

test("a run that is played shows its turns one after the other, and ends at now", async ({ page, product }) => {
  await openEnded(page, product.url, "Played");
  await page.getByRole("combobox", { name: "Pace" }).selectOption("event");
  await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "Stop playing" })).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /^2H01/ })).toHaveCount(0);
  await expect(canvas(page).getByRole("img", { name: /^2H01/ })).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /^2H02/ })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Pace" }).selectOption("64");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await expect(back(page)).toHaveCount(0);
});

test("a part of the run is chosen by keys and by hand, and given back", async ({ page, product }) => {
  await openEnded(page, product.url, "A part");
  await playhead(page).focus();
  await page.keyboard.press("Home");
  for (let event = 0; event < 4; event++) await page.keyboard.press(".");
  await page.getByRole("button", { name: "From here" }).press("Enter");
  await expect.poll(() => param(page, "from")).not.toBeNull();
  await playhead(page).focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => param(page, "from")).toBeNull();
  // Back at now, or the flag would stand where the hand begins.
  await page.keyboard.press("Escape");
  await expect(back(page)).toHaveCount(0);
  const strip = await page.locator(".timeline-strip").boundingBox();
  if (!strip) throw new Error("the strip has no place");
  const y = strip.y + strip.height / 2;
  await page.mouse.move(strip.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(strip.x + 300, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => param(page, "to")).not.toBeNull();
  await page.getByRole("button", { name: "Whole run" }).click();
  await expect.poll(() => param(page, "to")).toBeNull();
});

test("the ends of a part are moved by keys and by hand, and Escape gives it back", async ({ page, product }) => {
  await openEnded(page, product.url, "Ends of a part");
  await playhead(page).focus();
  await page.keyboard.press("Home");
  for (let event = 0; event < 4; event++) await page.keyboard.press(".");
  await page.getByRole("button", { name: "From here" }).press("Enter");
  const begin = page.getByRole("slider", { name: "Beginning of the part" });
  const end = page.getByRole("slider", { name: "End of the part" });
  const shownOf = async (handle: Locator) => Number(await handle.getAttribute("aria-valuenow"));
  await expect(begin).toBeVisible();
  const first = await shownOf(begin);
  await begin.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => shownOf(begin)).toBeLessThan(first);
  await page.keyboard.press("Home");
  await expect.poll(() => shownOf(begin)).toBe(Number(await begin.getAttribute("aria-valuemin")));
  const last = await shownOf(end);
  const place = await end.boundingBox();
  if (!place) throw new Error("the end has no place");
  expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(24);
  await page.mouse.move(place.x + 3, place.y + 12);
  await page.mouse.down();
  await page.mouse.move(place.x - 120, place.y + 12, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => shownOf(end)).toBeLessThan(last);
  await expect.poll(() => param(page, "to")).toBe(new Date(await shownOf(end)).toISOString());
  await end.focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => param(page, "to")).toBeNull();
  await expect(end).toHaveCount(0);
  await expect(playhead(page)).toBeFocused();
});

test("agents have a lane each, in the timeline and as a view of its own", async ({ page, product }) => {
  await openEnded(page, product.url, "Lanes");
  await page.getByRole("region", { name: "Timeline" }).getByRole("radio", { name: "Agents" }).click();
  await expect(page.getByRole("listbox", { name: /3 agents with 3 turns/ })).toBeVisible();
  await page.getByRole("link", { name: "Lanes" }).click();
  const lanes = page.getByRole("listbox", { name: /^Lanes of 4 agents/ });
  await expect(lanes).toBeVisible();
  await lanes.focus();
  await page.keyboard.press("Home");
  for (let row = 0; row < 3; row++) await page.keyboard.press("ArrowDown");
  await expect(lanes.getByRole("option", { selected: true })).toHaveAttribute(
    "aria-label",
    /^1L01 Lead hands over to 2H01 Hand: Weigh the first half, [\d,]+ tokens$/,
  );
  await page.keyboard.press("ArrowRight");
  await expect(lanes.getByRole("option", { selected: true })).toHaveAttribute(
    "aria-label",
    /^2H01 Hand returns to 1L01/,
  );
  await expectSound(page, "lanes");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/turns\//);
});

test("a moment of the past is sound in both themes", async ({ page, product }) => {
  await openEnded(page, product.url, "Sound");
  await playhead(page).focus();
  await page.keyboard.press("Home");
  for (let event = 0; event < 5; event++) await page.keyboard.press(".");
  await expect(back(page)).toBeVisible();
  await expectSound(page, "as of then");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a link to a moment shows it, and leads back", async ({ page, product }) => {
    const project = await makeProject(product.url, "Pocket", { isBrisk: true });
    const { root_turn_id: root } = await launchLead(product.url, project);
    await runEnds(product.url, project);
    const { items } = await api<{ items: { headcode: string; created_at: string }[] }>(
      product.url,
      "GET",
      `/projects/${project}/turns?root_turn_id=${root}&limit=10`,
    );
    const at = items.find(({ headcode }) => headcode === "2H01")?.created_at;
    await page.goto(`${product.url}/p/${project}?run=${root}&at=${at}`);
    await expect(page.getByText(/^As of \d/)).toBeVisible();
    await expect(page.getByText("2H02")).toHaveCount(0);
    await back(page).click();
    await expect(page.getByText("2H02").first()).toBeVisible();
  });

  test("time is walked from event to event, and played", async ({ page, product }) => {
    const project = await makeProject(product.url, "Pocket watch", { isBrisk: true });
    const { root_turn_id: root } = await launchLead(product.url, project);
    await runEnds(product.url, project);
    await page.goto(`${product.url}/p/${project}?run=${root}`);
    await page.getByRole("button", { name: "Time", exact: true }).tap();
    const time = page.getByRole("group", { name: "Time" });
    const shown = time.getByRole("slider", { name: "Moment shown" });
    await expect(shown).toHaveAttribute("aria-valuetext", /^now, /);
    await time.getByRole("button", { name: "Previous event" }).tap();
    await expect(back(page)).toBeVisible();
    await expect.poll(() => param(page, "at")).not.toBeNull();
    await expectSound(page, "time on a phone");
    await shown.focus();
    await page.keyboard.press("Home");
    await expect(page.getByText("2H01")).toHaveCount(0);
    await time.getByRole("button", { name: "Play", exact: true }).tap();
    await expect(page.getByText("2H01").first()).toBeVisible();
    await time.getByRole("button", { name: "Stop playing" }).tap();
    await expect(back(page)).toBeVisible();
    await shown.focus();
    await page.keyboard.press("End");
    await expect(back(page)).toHaveCount(0);
  });
});

test("the figures of a moment are measured to it, and a lens shows the agents of then", async ({ page, product }) => {
  const { root } = await openEnded(page, product.url, "Measured");
  await playhead(page).focus();
  await page.keyboard.press("Home");
  for (let event = 0; event < 2; event++) await page.keyboard.press(".");
  await expect(page.getByRole("complementary", { name: "The run" })).toContainText("just now");
  const all = page.url().replace(/run=[^&]+/, `run=${root}&lens=agents`);
  await page.goto(all);
  await expect(back(page)).toBeVisible();
  const agents = page.locator(".agent-node");
  await expect(agents.first()).toBeVisible();
  const before = await agents.count();
  await page.keyboard.press("Escape");
  await expect(back(page)).toHaveCount(0);
  await expect.poll(() => agents.count()).toBeGreaterThan(before);
});

test("of all runs there are no lanes, and the switch says why", async ({ page, product }) => {
  const { project } = await openEnded(page, product.url, "All of them");
  await page.goto(`${product.url}/p/${project}?run=all`);
  const views = page.getByRole("navigation", { name: "Views of the run" });
  await expect(views.getByTitle("Choose one run, or a turn of it, to see its lanes")).toBeVisible();
  await expect(views.getByRole("link", { name: "Lanes" })).toHaveCount(0);
  await page.goto(`${product.url}/p/${project}?run=all&view=lanes`);
  await expect(page.getByText("Lanes show the hand-overs of one run.")).toBeVisible();
});

test("two thousand turns: only what is in sight is in the document", async ({ page, product }) => {
  test.setTimeout(120_000);
  const { project_id: project } = await api<{ project_id: string }>(product.url, "POST", "/projects", {
    title: "Long",
  });
  const history = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ content: `Message ${at}`, role: "assistant", name: at % 2 === 0 ? "Left" : "Right" },
  }));
  const { root_turn_id: root } = await api<{ root_turn_id: string }>(
    product.url,
    "POST",
    `/projects/${project}/imports?format=who-and-when`,
    JSON.stringify({ question: "How long?", history, is_correct: false, question_ID: "long" }),
  );
  await page.goto(`${product.url}/p/${project}?run=${root}&view=lanes`);
  const lanes = page.getByRole("listbox", { name: /^Lanes of \d+ agents: \d,\d{3} hand-overs and returns/ });
  await expect(lanes).toBeVisible();
  await lanes.focus();
  await page.keyboard.press("End");
  await expect(lanes.getByRole("option", { selected: true })).toBeInViewport();
  expect(await lanes.getByRole("option").count()).toBeLessThan(80);
  expect(await page.locator(".lane-bar").count()).toBeLessThan(80);
  await page.goto(`${product.url}/p/${project}?run=${root}&rows=agents`);
  const rows = page.getByRole("listbox", { name: /agents with [\d,]+ turns/ });
  await expect(rows).toBeVisible();
  await expect.poll(() => page.locator(".timeline-bar").count()).toBeGreaterThan(100);
  const bars = await page.locator(".timeline-bar").count();
  // An axis is not wider than the screen, and each bar has a pixel of it.
  expect(bars).toBeLessThan(1_440 * (await rows.getByRole("option").count()));
});

// Each main action from page load with the keyboard alone: the focus is visible, nothing traps it, and it goes back to
// where it came from.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { fork, makeForkProject, stopFork } from "./fork-scenes";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 90_000 });

/** Presses Tab until it has the focus. Each stop on the way is on the screen and shows that it is focused. */
async function reach(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  // One question a press: two were most of the time that this file took.
  await page.evaluate(`window.hiddenFocus = ${hiddenFocus}`);
  for (let press = 0; press < 90; press++) {
    const { isThere, hidden } = await target.evaluate((node) => ({
      isThere: node === document.activeElement,
      hidden: (window as unknown as { hiddenFocus: () => string | null }).hiddenFocus(),
    }));
    // Before the first press the focus may be where a click or the page itself put it. A busy machine may draw the ring a frame later.
    if (press > 0 && hidden !== null)
      await expect.poll(() => page.evaluate("window.hiddenFocus()"), { timeout: 1_000 }).toBeNull();
    if (isThere) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} was not reached`);
}

/** Null, or the element that has the focus without showing it. */
function hiddenFocus(): string | null {
  const node = document.activeElement;
  // After its last stop a page passes the focus to the browser.
  if (node === null || node === document.body) return null;
  const box = node.getBoundingClientRect();
  const isOnScreen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const ringed = (at: Element | null): boolean => {
    if (at === null) return false;
    const style = getComputedStyle(at);
    if (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0) return true;
    // A list's focus ring is inside it, where nothing clips it; the plan draws its ring above its content.
    if (at.getAttribute("role") === "listbox" && style.boxShadow !== "none") return true;
    return getComputedStyle(at, "::after").boxShadow !== "none";
  };
  // The ring of a field may be drawn by its container, that of a row by the row itself.
  const shows = ringed(node) || ringed(node.parentElement) || ringed(node.closest("li, [role=option], [role=row]"));
  return isOnScreen && shows && node.matches(":focus-visible") ? null : node.outerHTML.slice(0, 200);
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

test("launch, then stop what was launched", async ({ page, product }) => {
  const project = await makeForkProject(product.url, "Launched by keys");
  await page.goto(`/p/${project}/boxes`);
  const opener = page.getByRole("button", { name: /^Launch( L)?$/ });
  await reach(page, opener);
  await page.keyboard.press("Enter");
  const composer = dialog(page, "Launch a turn");
  await expect(composer.getByLabel("Instruction")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(composer).toBeHidden();
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(composer.getByLabel("Instruction")).toBeFocused();
  await page.keyboard.type("Wait for nobody");
  await reach(page, composer.getByRole("button", { name: /^Profile/ }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Patience");
  await expect(page.getByRole("option", { name: /^Patience/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/target=new:Patience/);
  await expect(page.getByPlaceholder("Find a profile")).toBeHidden();
  await reach(page, composer.getByRole("button", { name: /^Launch/ }));
  await expect(composer.getByRole("button", { name: /^Launch/ })).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]turn=/);
  const stop = page.getByRole("button", { name: /^Stop/ });
  await reach(page, stop);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(stop).toBeFocused();
  await page.keyboard.press("Enter");
  await reach(page, page.getByRole("dialog").getByRole("button", { name: /^Stop/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("Canceled", { exact: true }).first()).toBeVisible();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test("from the yard: choose a turn, look at its fork, open its card, the legend and the palette", async ({
  page,
  product,
}) => {
  const project = await makeProject(product.url, "Yard by keys", { isBrisk: true });
  await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}`);
  await reach(page, page.getByRole("button", { name: "Legend" }));
  await page.keyboard.press("Enter");
  const text = dialog(page, "Legend").getByRole("region", { name: "Legend" });
  await expect(text).toBeFocused();
  await expect(text).toContainText("Roles");
  await page.keyboard.press("PageDown");
  await expect.poll(() => text.evaluate((node) => node.scrollTop)).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Legend" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("nothing is called this");
  await expect(dialog(page, "Search or command").getByRole("status")).toContainText("No results");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Legend" })).toBeFocused();
  await reach(page, page.getByRole("listbox"));
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/[?&]turn=/);
  const forkIt = page.getByRole("button", { name: /^Fork at step/ });
  await reach(page, forkIt);
  await page.keyboard.press("Enter");
  await expect(dialog(page, /^Fork/).getByRole("list", { name: "Messages of the request" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(forkIt).toBeFocused();
  await reach(page, page.getByRole("link", { name: "Card", exact: true }).first(), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/cards\//);
});

test("retry a branch", async ({ page, product }) => {
  const project = await makeForkProject(product.url, "Retried by keys");
  const open = await fork(product.url, project, [
    { target_ref: "Hydrogen", instruction: "Hydrogen" },
    { target_ref: "Patience", instruction: "Wait" },
  ]);
  await page.goto(`/p/${project}/batches/${open.batch_id}`);
  const retry = page.getByRole("button", { name: /^Retry/ });
  await reach(page, retry);
  await page.keyboard.press("Enter");
  await expect(
    page
      .getByRole("list", { name: "Attempts" })
      .or(page.getByRole("img", { name: /2/ }))
      .first(),
  ).toBeVisible();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await stopFork(product.url, project, open);
});

test("answer a request", async ({ page, product }) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", {
    title: "Asked by keys",
  });
  const asker = `
name: Asker
allowed_tools: [ask_human]
llm_config:
  provider: script
  script:
    - { call: ask_human, arguments: { question: "Which half first?", choices: ["The left one", "The right one"] } }
    - { deliver: "Began with: {result.1.answer}" }
`;
  await api(product.url, "POST", `/projects/${project_id}/profiles`, asker, "text/yaml");
  const args = { target_strategy: "new", target_ref: "Asker", instruction: "Ask" };
  await api(product.url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, { args });
  await page.goto(`/p/${project_id}/inbox?view=people`);
  await reach(page, page.getByRole("button", { name: "The right one" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "No open requests" })).toBeVisible();
});

test("save a profile", async ({ page, product }) => {
  const project = await makeProject(product.url, "Profile by keys");
  await page.goto(`/p/${project}/profiles/Hand`);
  const edit = page.getByRole("button", { name: "Edit" });
  await reach(page, edit);
  await page.keyboard.press("Enter");
  const editor = dialog(page, "Edit Hand");
  await expect(editor.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("description: Weighs by hand.\n");
  await reach(page, editor.getByRole("button", { name: "Save new version" }));
  await page.keyboard.press("Enter");
  await expect(editor).toBeHidden();
  await expect(page.getByText("version 2, saved")).toBeVisible();
  await expect(edit).toBeFocused();
});

test("fork a turn with another instruction, past a tooltip that is shown", async ({ page, product }) => {
  const project = await makeProject(product.url, "Forked by keys", { isBrisk: true });
  const { child } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}/turns/${child}?step=1`);
  await reach(page, page.getByRole("button", { name: /^Fork at step/ }));
  await page.keyboard.press("Enter");
  const asked = dialog(page, /^Fork/);
  await expect(asked.getByRole("list", { name: "Messages of the request" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(asked.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(page.getByRole("tooltip")).toHaveText(/Close/);
  await page.keyboard.press("Tab");
  await expect(asked.getByRole("radio", { name: "Keep" }).first()).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const text = asked.getByRole("textbox", { name: "Replacement for message 1" });
  await expect(text).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(text).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Look at the other one");
  await reach(page, asked.getByRole("button", { name: "Fork", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(child));
  await expect(page.getByText("Look at the other one").first()).toBeVisible();
});

test("a walk through the composer: bar, ground, shelf, inspector and foot, in this order", async ({
  page,
  product,
}) => {
  const project = await makeProject(product.url, "Composer by keys");
  const hand = { target: { ref: "Hand" }, instruction: "Weigh it" };
  const nodes = [
    { id: "first", ...hand },
    { id: "last", ...hand, load: [{ from: "first" }] },
  ];
  await api(product.url, "POST", `/projects/${project}/plans`, { switchyard: "plan/1", name: "Walked", nodes });
  await page.goto(`/p/${project}/compose/Walked?sel=last`);
  // Before the plan is there, the way goes through what stands in its place.
  await expect(page.getByRole("application", { name: /^Plan of 2 wagons/ })).toBeVisible();
  await expect(
    page.getByRole("complementary", { name: "Inspector" }).locator("[data-field=instruction]"),
  ).toBeVisible();
  for (const stop of [
    page.getByTitle("Rename"),
    page.getByRole("radio", { name: "Plan", exact: true }),
    page.getByRole("button", { name: /^Publish/ }),
    page.getByRole("application", { name: /^Plan of 2 wagons/ }),
    page.getByRole("button", { name: "Show all" }),
    page.getByLabel("Find on the shelf"),
    page.getByRole("complementary", { name: "Inspector" }).locator("[data-field=instruction]"),
    page.getByRole("button", { name: "Dry run" }),
    page.getByRole("complementary", { name: "Inspector" }).getByRole("button", { name: /^Launch/ }),
  ])
    await reach(page, stop);
});

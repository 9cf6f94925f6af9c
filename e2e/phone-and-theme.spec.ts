// What a first visit looks like, and that everything can be reached on a phone.
import type { Page } from "@playwright/test";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { serveOwn } from "./own-product";
import { api, launchLead, makeProject, runEnds } from "./scenes";
import { type Product, stop } from "./serve";
import { expect, test } from "./verbs";

const theme = (page: Page) => page.locator("html").getAttribute("data-theme");

for (const scheme of ["dark", "light"] as const)
  test(`a first visit follows the system, here ${scheme}, from the first painted frame on`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    // Checked at each painted frame: a background that is corrected afterwards is a flash.
    await page.addInitScript(() => {
      const grounds: string[] = [];
      Object.assign(window, { grounds });
      const look = () => {
        if (document.body) grounds.push(getComputedStyle(document.body).backgroundColor);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Projects", exact: true })).toBeVisible();
    expect(await theme(page)).toBe(scheme);
    const grounds = await page.evaluate(() => (window as unknown as { grounds: string[] }).grounds);
    const last = grounds.at(-1) ?? "";
    expect(last).toMatch(scheme === "dark" ? /^lab\(\d\./ : /^lab\(9\d\./);
    expect(new Set(grounds)).toEqual(new Set([last]));
  });

test("a chosen theme is kept, and the system's can be followed again", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Theme", exact: true }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  await choose("Dark");
  await expect.poll(() => theme(page)).toBe("dark");
  await page.reload();
  expect(await theme(page)).toBe("dark");
  await choose("System");
  await expect.poll(() => theme(page)).toBe("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => theme(page)).toBe("dark");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the menu leads to every page, and the projects page has it too", async ({ page, product }) => {
    const project = await makeProject(product.url, "By the menu");
    const go = async (name: string | RegExp) => {
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await page.goto(`/p/${project}`);
    for (const [name, path] of [
      ["Agents", "/agents"],
      ["Boxes", "/boxes"],
      ["Cards", "/cards"],
      ["Batches", "/batches"],
      ["Plans", "/plans"],
      ["Profiles", "/profiles"],
      ["Environment data", "/env"],
      [/^Inbox/, "/inbox"],
      ["Yard", ""],
    ] as const) {
      await go(name);
      await expect(page).toHaveURL(new RegExp(`/p/${project}${path}$`));
    }
    await go("Health");
    await expect(page).toHaveURL(/\/health$/);
    await expect(page.getByRole("heading", { name: "Health", exact: true })).toBeVisible();
    await go("Projects");
    await expect(page).toHaveURL(/\/$/);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "Light" }).click();
    await expect.poll(() => theme(page)).toBe("light");
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(page.getByRole("menu")).toContainText("local");
  });
});

test.describe("the line about the demo", () => {
  let demo: Product;
  test.beforeAll(async () => {
    demo = await serveOwn({ SWITCHYARD_DEMO: "1" });
  });
  test.afterAll(() => stop(demo));

  test("is one line on a phone, can be hidden, and stays hidden in this browser", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${demo.url}/p/demo/boxes`);
    const line = page.getByRole("status").filter({ hasText: "The demo's agents are scripted" });
    await expect(line).toBeVisible();
    const box = await line.boundingBox();
    // Two lines of text, or a button below the text, are more than 60 px.
    expect(box?.height).toBeLessThan(60);
    expect(await line.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    await line.getByRole("button", { name: "Hide this line" }).click();
    await expect(line).toBeHidden();
    // The server does not draw it either: it would push the page down and then disappear.
    const answer = await page.request.get(`${demo.url}/p/demo/boxes`);
    expect(await answer.text()).not.toContain("Hide this line");
    await page.goto(`${demo.url}/p/demo/cards`);
    await expect(page.getByRole("heading", { name: "Cards" })).toBeAttached();
    await expect(line).toBeHidden();
  });
});

test("text has its own direction: cards, prompts, names, titles, errors, and typed text", async ({ page, product }) => {
  const arabic = "ابحث عن أرخص طريقة لتخزين الكهرباء";
  const hebrew = "לא ניתן לקרוא את הדוח";
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "مشروع الطاقة" });
  for (const yaml of [
    `name: Echo\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`,
    `name: Broken\nllm_config: { provider: script, script: [{ fail: "${hebrew}" }] }\n`,
  ])
    await api(product.url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  const launch = (target_ref: string) =>
    api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
      product.url,
      "POST",
      `/projects/${project_id}/pmo/delegate_async:call`,
      { args: { target_strategy: "new", target_ref, instruction: arabic } },
    );
  const echo = await launch("Echo");
  const broken = await launch("Broken");
  /** Every place that shows it, each in the direction of its own text. */
  const expectTurned = async (path: string, text: string, atLeast = 1) => {
    await page.goto(`/p/${project_id}${path}`);
    const places = page.getByText(text).filter({ visible: true });
    await expect(places.first()).toBeVisible();
    await expect(async () => {
      const directions = await places.evaluateAll((nodes) =>
        nodes
          .filter((node) => node.closest(".sr-only, [role=status], button, pre.mono") === null)
          .map((node) => {
            const { direction, unicodeBidi } = getComputedStyle(node);
            const isTurned = direction === "rtl" || unicodeBidi === "plaintext";
            return isTurned ? "rtl" : `${node.parentElement?.outerHTML.slice(0, 300)}`;
          }),
      );
      expect(directions.length, path).toBeGreaterThanOrEqual(atLeast);
      expect(new Set(directions), path).toEqual(new Set(["rtl"]));
    }).toPass({ timeout: 15_000 });
  };
  const { agent_turn_id: id } = echo.result;
  await expect
    .poll(async () => (await api<{ status: string }>(product.url, "GET", `/projects/${project_id}/turns/${id}`)).status)
    .toBe("success");
  await expectTurned("/cards", arabic);
  await expectTurned(`?run=${echo.root_turn_id}&turn=${id}`, arabic, 2);
  await expectTurned(`/turns/${id}`, arabic, 2);
  await expectTurned(`?run=${broken.root_turn_id}&turn=${broken.result.agent_turn_id}`, hebrew);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "مشروع الطاقة" })).toHaveCSS("direction", "rtl");
  await page.goto(`/p/${project_id}?launch=1`);
  const instruction = page.getByLabel("Instruction");
  await instruction.fill(arabic);
  await expect(instruction).toHaveCSS("direction", "rtl");
  await instruction.fill("Find the cheapest way");
  await expect(instruction).toHaveCSS("direction", "ltr");
});

test.describe("at 200 %, a window of 720 by 450", () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test("the yard keeps its plan, time and inspector, and nothing covers a wagon", async ({ page, product }) => {
    const project = await makeProject(product.url, "Zoomed yard", { isBrisk: true });
    const { root_turn_id, child } = await launchLead(product.url, project);
    await runEnds(product.url, project);
    await page.goto(`/p/${project}?run=${root_turn_id}&turn=${child}`);
    const wagons = page.locator(".react-flow__node");
    await expect(wagons).toHaveCount(4);
    await expect(page.getByRole("listbox")).toBeVisible();
    for (const name of ["Open turn", "Run again"])
      await expect(page.getByRole("button", { name: new RegExp(`^${name}`) })).toBeInViewport({ ratio: 1 });
    for (const name of ["Show all", "Arrange again", "Larger"])
      await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    // The rail is longer than the window, and goes on below.
    const person = page.getByRole("button", { name: "Theme", exact: true });
    await person.scrollIntoViewIfNeeded();
    await expect(person).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
    await expectApart(page);
  });

  test("the board shows each task in full, and can be scrolled to its end", async ({ page, product }) => {
    const project = await makeForkProject(product.url, "Zoomed board", { isBrisk: true });
    const { batch_id } = await fork(product.url, project, five);
    await batchEnds(product.url, project, batch_id, "partial");
    await page.goto(`/p/${project}/batches/${batch_id}?task=4`);
    const rows = page.getByRole("region", { name: "Tasks" }).getByRole("listitem");
    await expect(rows).toHaveCount(5);
    // Nothing is wider than its row, and no row is wider than the window.
    for (const row of await rows.all()) {
      const box = await row.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(720);
      expect(await row.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    }
    const join = page.getByRole("complementary", { name: "The join" });
    await join
      .getByText("Events")
      .or(join.getByText(/received/))
      .first()
      .scrollIntoViewIfNeeded();
    await expect(join).toBeInViewport();
    await expect(page.getByRole("button", { name: /^Launch/ })).toBeInViewport({ ratio: 1 });
  });
});

test("the attribution of React Flow is visible, and no wagon or control overlaps it", async ({ page, product }) => {
  const project = await makeProject(product.url, "Attribution", { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}?run=${root_turn_id}`);
  await expect(page.locator(".react-flow__node")).toHaveCount(4);
  // Wherever the plan is dragged to.
  await page.getByRole("application", { name: /Track plan/ }).hover();
  await page.mouse.wheel(0, -260);
  await page.waitForTimeout(400);
  await expectApart(page);
});

async function expectApart(page: Page) {
  const link = page.getByRole("link", { name: /React Flow/ });
  await expect(link).toBeInViewport({ ratio: 1 });
  const met = await link.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const ground = node.closest(".react-flow")?.getBoundingClientRect();
    const over = [...document.querySelectorAll(".yard-float, .yard-minimap, .react-flow__panel")].filter((other) => {
      if (other.contains(node)) return false;
      const box = other.getBoundingClientRect();
      return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    });
    // The plan ends above it, and what is drawn on the plan is clipped there.
    return { over: over.length, isBelow: ground !== undefined && top >= ground.bottom };
  });
  expect(met).toEqual({ over: 0, isBelow: true });
}

// Versions on the drawing, and the things around it: legend, map, gap in a load, results lent by an earlier run, the narrow desk.
import type { Page } from "@playwright/test";
import { canvas, inspector, plate, projectWith, saved, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test("a version is read only, stands beside another, and becomes the draft again in one step", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Versions");
  const post = <T>(path: string, body: object) => api<T>(product.url, "POST", `/projects/${project}${path}`, body);
  const body = (nodes: object[]) => ({ switchyard: "plan/1", name: "Grown", nodes });
  await post("/plans", body([step("first"), step("gone", { load: [{ from: "first" }] })]));
  const next = body([step("first", { hold: true }), step("fresh", { load: [{ from: "first" }] })]);
  await post("/plans/Grown/versions", { body: next, base_version: 1 });

  await page.goto(`/p/${project}/compose/Grown?v=1`);
  await expect(wagon(page, "gone")).toBeVisible();
  await expect(page.getByText("A version never changes. Draw on it as your draft.")).toBeVisible();
  await wagon(page, "gone").click();
  await canvas(page).focus();
  await page.keyboard.press("x");
  await expect(page.getByText("This is version 1, which never changes.", { exact: false })).toBeVisible();

  await page.goto(`/p/${project}/compose/Grown?with=1`);
  await expect(inspector(page).getByRole("heading", { name: "Beside v1" })).toBeVisible();
  await expect(inspector(page)).toContainText("changed");
  await expect(inspector(page)).toContainText("removed");
  await expect(wagon(page, "fresh").getByRole("img", { name: "added" })).toBeVisible();
  await inspector(page).getByText("As text").first().click();
  await expect(inspector(page)).toContainText("hold: true");

  await page.goto(`/p/${project}/compose/Grown?v=1`);
  await page.getByRole("button", { name: "Restore v1 as my draft" }).click();
  await expect(wagon(page, "gone")).toBeVisible();
  await expect(wagon(page, "fresh")).toHaveCount(0);
  await saved(page);
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await expect(wagon(page, "fresh")).toBeVisible();
  await expect(wagon(page, "gone")).toHaveCount(0);

  await api(product.url, "PATCH", `/projects/${project}/plans/Grown`, { archived: true });
  await page.goto(`/p/${project}/compose/Grown`);
  await expect(page.getByText("An archived plan is read only. Restore it to draw on.")).toBeVisible();
  await page.getByRole("button", { name: "Restore the plan" }).click();
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeVisible();
});

test("a crate is dropped into the gap that it is to stand in; an earlier run lends its results", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Gaps and results");
  const post = <T>(path: string, body: object) => api<T>(product.url, "POST", `/projects/${project}${path}`, body);
  const long = "A long page of figures that fills the window of a reader. ".repeat(40);
  const boxOf = async (text: string) =>
    (
      await post<{ box_id: string }>("/boxes", {
        cards: [{ type: "context.pack", role: "user", content: { kind: "text", text } }],
      })
    ).box_id;
  const other = await boxOf(long);
  const box = await boxOf(`Shorter. ${long.slice(0, 1_500)}`);
  await post("/plans", {
    switchyard: "plan/1",
    name: "Gapped",
    nodes: [step("first"), step("last", { load: [{ box: other }, { from: "first" }] })],
  });
  const { result } = await post<{ result: { plan_run_id: string } }>("/pmo/launch_plan:call", {
    args: { plan: "Gapped" },
  });
  await expect
    .poll(
      async () =>
        (await api<{ status: string }>(product.url, "GET", `/projects/${project}/plan-runs/${result.plan_run_id}`))
          .status,
      { timeout: 30_000 },
    )
    .toBe("success");
  await page.goto(`/p/${project}/compose/Gapped`);
  await expect(wagon(page, "last").getByText(/k|\d/).first()).toBeVisible();
  await page.waitForTimeout(900);
  await page.getByRole("searchbox", { name: "Find on the shelf" }).fill(plate(box));
  const entry = page
    .getByRole("region", { name: "Shelf" })
    .getByRole("button", { name: new RegExp(plate(box)) })
    .first();
  await expect(page.getByRole("list", { name: "Boxes" }).getByRole("listitem")).toHaveCount(1);
  const [from, to] = [await entry.boundingBox(), await wagon(page, "last").boundingBox()];
  if (!from || !to) throw new Error("nothing to drag");
  const before = await weight(page);
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 4, to.y + to.height - 8, { steps: 10 });
  await expect(page.locator(".drag-gap")).toHaveCount(1);
  // While it hangs over the wagon, the wagon weighs what it would be given.
  await expect(wagon(page, "last").locator("[data-would-be]")).toHaveCount(1);
  const wouldBe = await weight(page);
  expect(wouldBe).not.toBe(before);
  await page.mouse.up();
  await expect(wagon(page, "last").locator("[data-would-be]")).toHaveCount(0);
  await expect.poll(() => weight(page)).toBe(wouldBe);
  const load = inspector(page).getByRole("list", { name: "Load" }).getByRole("listitem");
  await expect(load).toHaveCount(3);
  await expect(load.nth(0)).toContainText(plate(box));

  await canvas(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  const dry = page.getByRole("region", { name: "Dry run" });
  await expect(dry.getByText(/~/).first()).toBeVisible();
  await dry.getByLabel("Missing results").selectOption(result.plan_run_id);
  await expect(dry.getByText(/~/)).toHaveCount(0);
});

const weight = (page: Page) => wagon(page, "last").locator(".wagon-tokens").textContent();

test("the legend says what the signs mean, and on a narrow desk the inspector can be put away", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Narrow");
  const nodes = Array.from({ length: 9 }, (_, i) =>
    step(`step-${i}`, i === 0 ? {} : { load: [{ from: `step-${i - 1}` }] }),
  );
  await api(product.url, "POST", `/projects/${project}/plans`, { switchyard: "plan/1", name: "Long", nodes });
  await page.goto(`/p/${project}/compose/Long`);
  await expect(page.getByRole("button", { name: "Map of the plan: click to go there" })).toBeVisible();
  await page.getByRole("button", { name: "Legend" }).click();
  await expect(page.getByRole("dialog").getByText("Does not exist yet.", { exact: false })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1_050, height: 800 });
  await expect(inspector(page)).toBeVisible();
  await page.getByRole("button", { name: "Hide the inspector" }).click();
  await expect(inspector(page)).toBeHidden();
  await page.getByRole("button", { name: "Inspector", exact: true }).click();
  await expect(inspector(page).getByRole("button", { name: /^Launch/ })).toBeVisible();
});

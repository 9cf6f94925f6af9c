// The hand-over editor: what is loaded and in which order, by which rules, and what those would have done to earlier ones.
import { canvas, inspector, plate, projectWith, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test("the order is changed by drag and by keys, types are left out, the rules saved and tried on what was packed", async ({
  product,
  page,
}) => {
  const { project, box } = await projectWith(product.url, "A hand-over");
  const post = <T>(path: string, body: object) => api<T>(product.url, "POST", `/projects/${project}${path}`, body);
  const { box_id } = await post<{ box_id: string }>("/boxes", {
    cards: [
      { type: "context.pack", role: "user", content: { kind: "text", text: "A page of figures." } },
      {
        type: "tool.result",
        role: "tool",
        content: { kind: "tool_result", status: "success", result: { rows: [1, 2, 3] } },
      },
    ],
  });
  // A hand-over that was made, to try the rules on.
  await post("/pmo/delegate_async:call", {
    args: { target_strategy: "new", target_ref: "Reader", instruction: "Read it.", load: [{ box_id }] },
  });
  const nodes = [
    { id: "frame", title: "Frame", target: { ref: "Planner" }, instruction: "Fix one frame." },
    {
      id: "brief",
      title: "Brief",
      target: { ref: "Reader" },
      instruction: "Write the brief.",
      load: [{ box }, { from: "frame" }, { box: box_id }],
    },
  ];
  await post("/plans", { switchyard: "plan/1", name: "Handed", nodes });
  await page.goto(`/p/${project}/compose/Handed?sel=brief`);
  await expect(wagon(page, "brief")).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("h");
  const order = page.getByRole("list", { name: "Order the model reads" });
  const loaded = order.locator("li[data-index]");
  await expect(loaded).toHaveCount(4);
  await expect(loaded.nth(0)).toContainText("House style");
  await expect(loaded.nth(0)).toContainText(plate(box));
  await expect(loaded.nth(1)).toContainText("not known");
  await expect(loaded.nth(2)).toContainText("A page of figures.");
  await expect(order).toContainText("Write the brief.");
  await expect(order).toContainText("not sent to the model");

  // By keys: the last entry before the others; then back by undo.
  await loaded.nth(2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(loaded.nth(1)).toContainText("A page of figures.");
  await page.keyboard.press("Control+z");
  await expect(loaded.nth(1)).toContainText("not known");

  // By mouse: the first behind the last.
  const [from, to] = [await loaded.nth(0).boundingBox(), await loaded.nth(3).boundingBox()];
  if (!from || !to) throw new Error("the rows are not drawn");
  await page.mouse.move(from.x + 20, from.y + 15);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 15, { steps: 8 });
  await expect(page.getByText("1 → 3")).toBeVisible();
  await page.mouse.up();
  await expect(loaded.nth(3)).toContainText("House style");

  // Results of tools stay behind; the row stands struck, with the reason.
  const side = inspector(page);
  await side.getByLabel("Left out by type: add a type").selectOption("tool.result");
  await expect(order.locator("li[data-left]")).toContainText(/1 card of Box/);
  await expect(loaded).toHaveCount(3);
  await expect(side.getByText("exclude_types", { exact: false })).toBeVisible();
  await side.getByRole("switch", { name: /Redact secrets/ }).check();
  await expect(side.getByText("redact: true", { exact: false })).toBeVisible();

  // An argument of its own travels before the instruction.
  await side.getByRole("textbox", { name: "Another argument" }).fill("audience");
  await side.getByRole("button", { name: "Add", exact: true }).click();
  await side.getByRole("textbox", { name: "audience, as task.context" }).fill("The investment committee");
  await expect(order).toContainText("The investment committee");

  // What these rules would have done to the hand-over that was made.
  const regression = page.getByRole("region", { name: "Recipe regression" });
  await regression.getByRole("button", { name: "Pack them again" }).click();
  await expect(regression.getByText("Left out").locator("..")).toContainText("1 card");

  await side.getByRole("textbox", { name: "Save the rules as" }).fill("brief");
  await side.getByRole("button", { name: "Save as brief@1" }).click();
  await expect(side.getByText("Packed by brief@1.")).toBeVisible();
  const { items } = await api<{ items: { name: string; version: number }[] }>(
    product.url,
    "GET",
    `/projects/${project}/recipes`,
  );
  expect(items).toMatchObject([{ name: "brief", version: 1 }]);

  await page
    .getByRole("button", { name: "As the model sees it" })
    .or(page.getByRole("radio", { name: "As the model sees it" }))
    .click();
  await expect(page.getByText("Write the brief.").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(wagon(page, "brief")).toBeVisible();
  await expect(page).not.toHaveURL(/order=/);
});

test("what comes too late cannot be loaded and says why; what is refused says what to do", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Too late");
  const nodes = [
    { id: "first", title: "First", target: { ref: "Planner" }, instruction: "Begin." },
    { id: "second", title: "Second", target: { ref: "Reader" }, instruction: "End.", load: [{ from: "first" }] },
  ];
  await api(product.url, "POST", `/projects/${project}/plans`, { switchyard: "plan/1", name: "Late", nodes });
  await page.goto(`/p/${project}/compose/Late?order=first`);
  const offers = page.getByRole("region", { name: "May be loaded" });
  await expect(offers.getByText("Second starts after this one, so it has nothing to give yet.")).toBeVisible();
  await page.goto(`/p/${project}/compose/Late?order=second`);
  await page.getByRole("region", { name: "May be loaded" }).getByRole("button", { name: "Load Output box" }).click();
  await expect(page.getByRole("list", { name: "Order the model reads" }).locator("li[data-index]")).toHaveCount(2);
  await page.goto(`/p/${project}/compose/Late?order=gone`);
  await expect(page.getByText("The plan has no such wagon, ask or task any more.")).toBeVisible();
});

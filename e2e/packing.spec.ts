// A person makes boxes without launching anything: packs one by a recipe, gathers chosen cards, forks one.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { api } from "./scenes";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 90_000 });

const packer = (page: Page) => page.getByRole("dialog", { name: "Pack a box" });
const makeButton = (page: Page) => packer(page).getByRole("button", { name: /^Make the box/ });
const receipt = (page: Page) => packer(page).getByRole("region", { name: "Receipt" });

type Box = { box_id: string; card_ids: string[] };

const makeBox = (url: string, project_id: string, cards: { type: string; content: string }[]) =>
  api<Box>(url, "POST", `/projects/${project_id}/boxes`, { cards });

const typesOf = async (url: string, project_id: string, box_id: string) =>
  (await api<{ type: string }[]>(url, "GET", `/projects/${project_id}/boxes/${box_id}/cards`)).map((card) => card.type);

const boxOf = (page: Page) => new URL(page.url()).pathname.split("/boxes/")[1] ?? "";

const notes = [
  { type: "agent.note", content: "The first note" },
  { type: "agent.thought", content: "Only a thought" },
  { type: "agent.note", content: "The last note" },
];

test("from the palette: a recipe, boxes and cards in order, the receipt, and the box", async ({
  page,
  product,
  project,
  openYard,
}) => {
  const { project_id } = project;
  const box = await makeBox(product.url, project_id, notes);
  const single = await makeBox(product.url, project_id, [{ type: "agent.plan", content: "The plan" }]);
  await api(product.url, "POST", `/projects/${project_id}/recipes`, {
    name: "without-thoughts",
    user: "mara",
    handover: {
      context_packing_config: {
        pack_arguments: [{ arg_key: "tone", as_card_type: "task.tone" }],
        inherit_context: { exclude_types: ["agent.thought"] },
        order: "inherited_first",
      },
    },
  });
  await openYard();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search, or run a command").fill("> pack a box");
  await page.keyboard.press("Enter");
  await expect(packer(page)).toBeVisible();
  await expect(makeButton(page)).toHaveAttribute("aria-disabled", "true");
  await packer(page)
    .getByRole("button", { name: /^Profile/ })
    .click();
  await page.getByRole("option", { name: /^Echo/ }).click();
  await page.goto(`/p/${project_id}?pack=1&for=Echo&boxes=${box.box_id}&cards=${single.card_ids[0]}`);
  await packer(page).getByRole("button", { name: "Move card, place 2 of 2" }).press("ArrowUp");
  await expect(receipt(page).getByRole("listitem").filter({ hasText: "agent.plan" })).toBeVisible();
  await packer(page).getByLabel("Recipe", { exact: true }).selectOption("without-thoughts");
  await packer(page).getByLabel("tone", { exact: true }).fill("dry");
  await expect(receipt(page)).toContainText("4 cards packed by recipe without-thoughts@1");
  await expect(receipt(page)).toContainText("1 card left out");
  await makeButton(page).click();
  await page.waitForURL(/\/boxes\//);
  expect(await typesOf(product.url, project_id, boxOf(page))).toEqual([
    "agent.plan",
    "agent.note",
    "agent.note",
    "task.tone",
  ]);
  await expect(page.getByText("by recipe without-thoughts@1")).toBeVisible();
});

test("from a box page: a refusal stands at its field, and the keyboard makes the box", async ({
  page,
  product,
  project,
}) => {
  const { project_id } = project;
  const box = await makeBox(product.url, project_id, notes);
  await page.goto(`/p/${project_id}/boxes/${box.box_id}`);
  const opener = page.getByRole("button", { name: "Pack" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(packer(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(packer(page)).toBeHidden();
  await expect(opener).toBeFocused();
  await page.goto(`/p/${project_id}/boxes/${box.box_id}?pack=1&for=Nobody&boxes=${box.box_id},box_of_nobody`);
  await expect(packer(page).getByRole("alert")).toContainText("Nobody");
  await packer(page).getByRole("button", { name: "Change target" }).click();
  await page.getByPlaceholder("Find a profile").fill("Echo");
  await expect(page.getByRole("option", { name: /^Echo/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(packer(page).getByRole("alert")).toContainText("box_of_nobody");
  const { violations } = await axeOf(page).include("[role=dialog]").analyze();
  expect(violations).toEqual([]);
  await packer(page).getByRole("button", { name: "Remove it" }).click();
  await expect(makeButton(page)).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL((url) => url.pathname.includes("/boxes/") && !url.pathname.includes(box.box_id));
  await expect(packer(page)).toBeHidden();
  expect((await typesOf(product.url, project_id, boxOf(page))).slice(0, 3)).toEqual(notes.map(({ type }) => type));
});

test("chosen cards become a box of their own, by keyboard", async ({ page, product, project }) => {
  const { project_id } = project;
  const box = await makeBox(product.url, project_id, notes);
  await page.goto(`/p/${project_id}/boxes/${box.box_id}`);
  const list = page.getByRole("listbox", { name: "Cards" });
  await expect(list.getByRole("option")).toHaveCount(3);
  await expect(list.getByRole("option").nth(2)).toContainText("The last note");
  await page.getByRole("button", { name: "Choose cards" }).focus();
  await page.keyboard.press("Enter");
  const bar = page.getByRole("region", { name: "Chosen cards" });
  await expect(bar.getByRole("button", { name: "Make a box" })).toBeDisabled();
  await list.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await expect(bar).toContainText("2 cards chosen");
  await expect(list.getByRole("option").nth(0)).toHaveAttribute("aria-checked", "true");
  await expect(list.getByRole("option").nth(1)).toHaveAttribute("aria-checked", "false");
  const { violations } = await axeOf(page).analyze();
  expect(violations).toEqual([]);
  await bar.getByRole("button", { name: "Make a box" }).press("Enter");
  await page.waitForURL((url) => url.pathname.includes("/boxes/") && !url.pathname.includes(box.box_id));
  const made = await api<Box>(product.url, "GET", `/projects/${project_id}/boxes/${boxOf(page)}`);
  expect(made.card_ids).toEqual([box.card_ids[0], box.card_ids[2]]);
  await expect(page.getByRole("region", { name: "Chosen cards" })).toBeHidden();
});

test("chosen cards go into a launch", async ({ page, product, project }) => {
  const { project_id } = project;
  const box = await makeBox(product.url, project_id, notes);
  await page.goto(`/p/${project_id}/boxes/${box.box_id}`);
  await expect(page.getByRole("option").nth(1)).toContainText("Only a thought");
  await page.getByRole("button", { name: "Choose cards" }).click();
  await page.getByRole("option").nth(1).click();
  await page.getByRole("region", { name: "Chosen cards" }).getByRole("button", { name: "Use in a launch" }).click();
  await expect(page).toHaveURL(new RegExp(`launch=1&cards=${box.card_ids[1]}`));
});

test("a box is forked at the card that is open", async ({ page, product, project }) => {
  const { project_id } = project;
  const box = await makeBox(product.url, project_id, notes);
  await page.goto(`/p/${project_id}/boxes/${box.box_id}?card=2`);
  await page.getByRole("button", { name: "Fork", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Fork box/ });
  const count = dialog.getByLabel("Cards to share");
  await expect(count).toHaveValue("2");
  await count.fill("4");
  await expect(dialog.getByRole("alert")).toContainText("from 0 to 3");
  await expect(dialog.getByRole("button", { name: "Fork" })).toBeDisabled();
  await count.fill("2");
  await count.press("Enter");
  await page.waitForURL((url) => url.pathname.includes("/boxes/") && !url.pathname.includes(box.box_id));
  const made = await api<Box>(product.url, "GET", `/projects/${project_id}/boxes/${boxOf(page)}`);
  expect(made.card_ids).toEqual(box.card_ids.slice(0, 2));
  expect((await api<Box>(product.url, "GET", `/projects/${project_id}/boxes/${box.box_id}`)).card_ids).toHaveLength(3);
});

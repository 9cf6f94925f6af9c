// A run is deleted from the yard and from the page of runs, and a card is erased, by keyboard: each says first what stays.
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

async function ended(url: string, title: string) {
  const project = await makeProject(url, title, { isBrisk: true });
  const { root_turn_id } = await launchLead(url, project);
  await runEnds(url, project);
  return { project, root_turn_id };
}
const runsOf = async (url: string, project: string) =>
  (await api<{ items: { root_turn_id: string }[] }>(url, "GET", `/projects/${project}/runs`)).items;

test("from the yard: the dialog says that nothing else holds the cards, and the run is gone from the open page", async ({
  product: { url },
  page,
}) => {
  const { project, root_turn_id } = await ended(url, "Goes from the yard");
  await page.goto(`${url}/p/${project}?run=${root_turn_id}`);
  await page.getByRole("button", { name: /^Run 1/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete run 1" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete run 1?" });
  await expect(dialog).toContainText("Nothing else holds its cards");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectSound(page, "deleting a run");
  await dialog.getByLabel("Reason").fill("made by mistake");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(() => runsOf(url, project)).toEqual([]);
  await expect(page.getByRole("button", { name: /^Run 1/ })).toHaveCount(0);
  const { items } = await api<{ items: object[] }>(url, "GET", `/projects/${project}/deletions`);
  expect(items).toMatchObject([{ kind: "run", subject_id: root_turn_id, reason: "made by mistake" }]);
});

test("from the page of runs, on a phone", async ({ product: { url }, page }) => {
  const { project } = await ended(url, "Goes from the list");
  await page.goto(`${url}/p/${project}/runs`);
  await page.getByRole("checkbox").last().check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete run 1?" });
  await expect(dialog).toContainText("Nothing else holds its cards");
  await page.setViewportSize({ width: 390, height: 780 });
  await dialog.getByRole("button", { name: "Delete run 1" }).click();
  await expect.poll(() => runsOf(url, project)).toEqual([]);
});

test("a card is erased with a reason, after what holds it was counted", async ({ product: { url }, page }) => {
  const { project, root_turn_id } = await ended(url, "Is erased");
  const turn = await api<{ instruction_card_id: string }>(url, "GET", `/projects/${project}/turns/${root_turn_id}`);
  await page.goto(`${url}/p/${project}/cards/${turn.instruction_card_id}`);
  await page.getByRole("button", { name: "Delete the content of this card" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("It is in 1 box");
  await dialog.getByText("Erase", { exact: true }).click();
  await dialog.getByLabel("Reason").fill("asked for");
  await expectSound(page, "erasing a card");
  await dialog.getByRole("button", { name: "Erase content" }).click();
  await expect(dialog).toBeHidden();
  const card = await api<object>(url, "GET", `/projects/${project}/cards/${turn.instruction_card_id}`);
  expect(card).toMatchObject({ gone: "deleted", content: null });
});

test("how long runs are kept is off, counted before it is saved, and set by keyboard, on a phone too", async ({
  product: { url },
  page,
}) => {
  const { project } = await ended(url, "Is kept for a while");
  const kept = () => api<{ days: number | null }>(url, "GET", `/projects/${project}/retention`);
  await page.goto(url);
  const row = page.getByRole("listitem").filter({ hasText: project });
  const open = async () => {
    await row.getByRole("button", { name: /^Change/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Delete old runs" }).press("Enter");
  };
  await open();
  const dialog = page.getByRole("dialog", { name: /^Delete old runs of/ });
  await expect(dialog.getByLabel("Days")).toHaveValue("");
  await expect(dialog).toContainText("No run is deleted by age");
  await dialog.getByLabel("Days").fill("0");
  await expect(dialog.getByRole("alert")).toContainText("Enter a whole number");
  await expect(dialog.getByRole("button", { name: "Delete older runs" })).toBeDisabled();
  await dialog.getByLabel("Days").fill("30");
  await expect(dialog).toContainText("0 runs would be deleted");
  await expectSound(page, "keeping runs");
  await page.setViewportSize({ width: 390, height: 780 });
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  expect(await kept()).toMatchObject({ days: 30 });
  await open();
  await expect(dialog.getByLabel("Days")).toHaveValue("30");
  await dialog.getByLabel("Days").fill("");
  await dialog.getByRole("button", { name: "Keep for ever" }).press("Enter");
  await expect(dialog).toBeHidden();
  expect(await kept()).toMatchObject({ days: null });
});

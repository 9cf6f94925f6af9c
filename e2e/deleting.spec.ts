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

test("a person's data is found by name, kind by kind, and erased once the name is typed; on a phone too", async ({
  product: { url },
  page,
}) => {
  const project = await makeProject(url, "Holds a person's data", { isBrisk: true });
  const { result } = await api<{ result: { agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    { user: "ann", args: { target_strategy: "new", target_ref: "Lead", instruction: "Weigh the whole thing" } },
  );
  await runEnds(url, project);
  await api(url, "POST", `/projects/${project}/views`, {
    ...{ name: "Hers", page: "search", query: "type:note", user: "ann" },
  });
  await page.goto(url);
  const row = page.getByRole("listitem").filter({ hasText: project });
  await row.getByRole("button", { name: /^Change/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "A person's data" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  await expect(dialog.getByRole("list", { name: "People" }).getByRole("button", { name: "ann" })).toBeVisible();
  await expectSound(page, "the people of a project");

  // Who put nothing in is told so, and the way back is a button and the browser's own.
  await page.keyboard.type("nobody-here");
  await expect(dialog).toContainText("No matching names");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("No data of nobody-here");
  await dialog.getByRole("button", { name: "All people" }).press("Enter");

  await dialog.getByRole("button", { name: "ann", exact: true }).press("Enter");
  const kinds = dialog.getByRole("list", { name: "Kinds of data of ann" });
  await expect(kinds.getByRole("button", { name: /^Views 1/ })).toContainText("Erasing: deleted");
  await expectSound(page, "the kinds of a person's data");
  await kinds.getByRole("button", { name: /^Launches/ }).press("Enter");
  const launches = dialog.getByRole("list", { name: "Launches of ann" });
  await launches.getByRole("link").last().click();
  await expect(page).toHaveURL(/\/turns\/turn_/);
  // The address leads back to the same place.
  await page.goBack();
  await expect(launches.getByRole("link").first()).toBeVisible();
  await expectSound(page, "the launches of a person");
  await dialog.getByRole("button", { name: "All kinds" }).click();

  await page.setViewportSize({ width: 390, height: 780 });
  await dialog.getByRole("button", { name: "Erase", exact: true }).press("Enter");
  const question = page.getByRole("dialog", { name: "Erase the data of ann?" });
  const deed = question.getByRole("button", { name: "Erase for good" });
  await expect(deed).toBeDisabled();
  await question.getByLabel(/to confirm$/).fill("Ann");
  await expect(deed).toBeDisabled();
  await question.getByLabel(/to confirm$/).fill("ann");
  await question.getByLabel("Reason").fill("asked for");
  await expectSound(page, "erasing a person");
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(kinds.getByRole("button", { name: /^Views/ })).toHaveCount(0);
  await expect(kinds.getByRole("button", { name: /^Launches/ })).toContainText("Erasing: stays");
  const { items } = await api<{ items: object[] }>(url, "GET", `/projects/${project}/deletions`);
  expect(items).toMatchObject([{ kind: "person", reason: "asked for" }]);
  const told = `/projects/${project}/turns/${result.agent_turn_id}`;
  const turn = await api<{ instruction_card_id: string }>(url, "GET", told);
  const card = await api<object>(url, "GET", `/projects/${project}/cards/${turn.instruction_card_id}`);
  expect(card).toMatchObject({ gone: "deleted", content: null });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/people=/);
});

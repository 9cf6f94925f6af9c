// Workspaces as a person adds, reads and deletes them, and a pack that is built from one.
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const project = async (url: string, title: string) =>
  (await api<{ project_id: string }>(url, "POST", "/projects", { title })).project_id;

async function clean(page: Page) {
  for (const theme of ["dark", "light"]) {
    await page.evaluate((value) => document.documentElement.setAttribute("data-theme", value), theme);
    const { violations } = await axeOf(page)
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
      .analyze();
    expect(violations.map((v) => `${theme} ${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual(
      [],
    );
  }
}

/** One file in a tar: a head of 512 bytes and the text in blocks of as many. */
function tarOf(name: string, text: string): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write("0000644\0", 100);
  head.write(`${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`, 124);
  head.write("00000000000\0", 136);
  head.write("        ", 148);
  head.write("0", 156);
  head.write("ustar\0" + "00", 257);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
  body.write(text);
  return Buffer.concat([head, body, Buffer.alloc(1024)]);
}

test("an open folder is registered by keyboard alone, and a pack is built from its files", async ({
  product,
  page,
}) => {
  const { url } = product;
  const project_id = await project(url, "Workspaces by hand");
  await page.goto(`${url}/p/${project_id}/packs`);
  await page.getByRole("main").getByRole("link", { name: "Workspaces" }).press("Enter");
  await expect(page).toHaveURL(/\/packs\/workspaces$/);
  await expect(page.getByRole("heading", { name: "No workspaces yet" })).toBeVisible();
  await clean(page);

  await page.getByRole("button", { name: "Add a workspace" }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a workspace" });
  await expect(dialog).toBeVisible();
  await clean(page);
  await dialog.getByRole("button", { name: "Register handbook" }).press("Enter");
  await expect(dialog).toBeHidden();
  const row = page.getByRole("region", { name: "Workspace handbook" });
  await expect(row).toContainText("Ready");
  await expect(row).toContainText("3 files");
  await clean(page);

  await page.goto(`${url}/p/${project_id}/packs/new`);
  await page.getByRole("combobox", { name: "Workspace" }).selectOption("handbook");
  await expect(page).toHaveURL(/workspace=handbook/);
  await page.getByRole("textbox", { name: "Goal" }).fill("Set the points.");
  await page.getByRole("textbox", { name: "Condition 1" }).fill("They are set");
  await page.getByRole("textbox", { name: "Files that matter most" }).fill("src/points.ts");
  await clean(page);
  await page.getByRole("button", { name: "Build the pack" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Set the points." })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("src/lamp.ts");
});

test("an upload is indexed; a broken one says why, at its field; deleting asks first", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 400 | 422 /);
  const { url } = product;
  const project_id = await project(url, "Uploads by hand");
  await page.goto(`${url}/p/${project_id}/packs/workspaces`);
  await page.getByRole("button", { name: "Add a workspace" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a workspace" });
  const send = dialog.getByRole("button", { name: "Upload and index" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Sent Files");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("1 to 64 characters");
  await dialog.getByRole("textbox", { name: "Name" }).fill("sent");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("Choose a git bundle");
  const file = dialog.getByLabel("Git bundle, tar or tar.gz");
  await file.setInputFiles({
    name: "odd.tar",
    mimeType: "application/x-tar",
    buffer: Buffer.from("no archive at all"),
  });
  await send.click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(dialog.getByRole("alert")).not.toContainText("Choose a git bundle");
  const tar = gzipSync(tarOf("notes/lamp.txt", "The lamp is red.\n"));
  await file.setInputFiles({ name: "code.tar.gz", mimeType: "application/gzip", buffer: tar });
  await send.click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("region", { name: "Workspace sent" });
  await expect(row).toContainText("Ready");
  await expect(row).toContainText("1 file");

  await row.getByRole("button", { name: "Delete sent" }).click();
  await page.getByRole("button", { name: "Delete workspace" }).click();
  await expect(page.getByRole("heading", { name: "No workspaces yet" })).toBeVisible();
});

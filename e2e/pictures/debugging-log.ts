// The pictures of the walk's second half, of a real log that people marked. They show its texts, so they are never committed.
import { readFileSync } from "node:fs";
import path from "node:path";
import { heardBy } from "../heard";
import { api } from "../scenes";
import { selectWords } from "../select-words";
import { openTurn } from "./open-turn";
import { expect, type Studio } from "./studio";

/** Another run of the same agents, to compare with. */
const other = "hand-crafted-16.json";
type Log = { question: string };

export async function takeLog({ url, page, take }: Studio, file: string): Promise<void> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "A real log" });
  const text = readFileSync(file, "utf8");
  const put = (log: string) =>
    api<{ root_turn_id: string }>(url, "POST", `/projects/${project_id}/imports?format=who-and-when`, log);
  const { root_turn_id: a } = await put(text);
  const { root_turn_id: b } = await put(readFileSync(path.join(path.dirname(file), other), "utf8"));
  const yard = `/p/${project_id}?run=${a}`;
  await page.goto(yard);
  await heardBy(page);

  await openTurn(page, "2W03");
  await take("log-the-turn");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { name: "What 2W03 was given" })).toBeVisible();
  await take("log-hand-over");

  await page.goto(`/p/${project_id}/cards/${await markedCard(url, project_id, a)}`);
  await heardBy(page);
  await expect(page.getByText("5 turns", { exact: true })).toBeVisible();
  await take("log-who-saw-it");
  await page.getByRole("link", { name: "Show them in the yard" }).click();
  await expect(page.getByText("5 of 9 turns")).toBeVisible();
  await take("log-in-the-yard");

  const limit = limitOf((JSON.parse(text) as Log).question);
  await page.goto(`${yard}&saw_text=${encodeURIComponent(limit)}`);
  await expect(page.getByText("5 of 9 turns")).toBeVisible();
  await take("log-who-saw-the-words");

  await openTurn(page, "2W07");
  await page
    .getByRole("complementary", { name: "What the turn is part of" })
    .locator("section", { hasText: "Asked" })
    .getByRole("link", { name: "Card" })
    .first()
    .click();
  // The page of the turn has the words too.
  await page.waitForURL(/\/cards\//);
  await heardBy(page);
  await selectWords(page.getByRole("main").getByText(limit).first(), limit);
  await page.keyboard.press("b");
  await expect(page.getByRole("list", { name: "Path of the words" })).toContainText("A person wrote it.");
  await take("log-where-from");

  await page.goto(`/p/${project_id}/compare?a=${a}&b=${b}`);
  await expect(page.getByRole("button", { name: /^They part at 1O01/ })).toBeVisible();
  await take("log-where-they-part");
}

/** The words of the question that say how far is too far. */
function limitOf(question: string): string {
  const [words] = /within [^.?!]*? walk/.exec(question) ?? [];
  if (words === undefined) throw new Error("this is another log: its question names no distance");
  return words;
}

async function markedCard(url: string, project_id: string, root_turn_id: string): Promise<string> {
  const { items } = await api<{ items: { mark?: { card_id: string } }[] }>(
    url,
    "GET",
    `/projects/${project_id}/turns?root_turn_id=${root_turn_id}&limit=100`,
  );
  const marked = items.find(({ mark }) => mark !== undefined)?.mark?.card_id;
  if (marked === undefined) throw new Error("this is another log: no message of it is marked");
  return marked;
}

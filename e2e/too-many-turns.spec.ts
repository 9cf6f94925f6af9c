// More than a thousand turns of all runs: only some used to be drawn, with false roots and with sums over that part.
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const perLog = 402;
const logs = 3;

test("all runs are drawn in full or not at all, and a single run always is", async ({ page, product }) => {
  const { url } = product;
  const { project_id: project } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Many turns" });
  const history = Array.from({ length: perLog }, (_, at) => ({
    content: `Message ${at}`,
    role: "assistant",
    name: at % 2 === 0 ? "Left" : "Right",
  }));
  const roots: string[] = [];
  for (let log = 0; log < logs; log++) {
    const imported = await api<{ root_turn_id: string }>(
      url,
      "POST",
      `/projects/${project}/imports?format=who-and-when`,
      JSON.stringify({ question: `Question ${log}`, history, is_correct: false, question_ID: `q${log}` }),
    );
    roots.push(imported.root_turn_id);
  }
  const figures = page.getByRole("group", { name: "Run figures" });

  await page.goto(`${url}/p/${project}?run=${roots[0]}`);
  await expect(figures).toBeVisible();
  const ofOne = Number((await page.getByText(/^\d+ of \d+ turns$/).textContent())?.split(" ").at(-2));
  expect(ofOne).toBeGreaterThan(1000 / logs);

  await page.goto(`${url}/p/${project}?run=all`);
  await expect(page.getByRole("heading", { name: "Too many turns for one picture" })).toBeVisible();
  await expect(page.getByText(`${(ofOne * logs).toLocaleString("en")} turns`).first()).toBeVisible();
  await expect(figures).toBeHidden();
  await expect(page.getByRole("application")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Runs of this project" }).getByRole("link")).toHaveCount(logs);

  await page.getByRole("link", { name: /^Run 1/ }).click();
  await expect(page.getByText(`${ofOne} of ${ofOne} turns`)).toBeVisible();
  await page.goBack();

  // Requesting a smaller picture by hand gives the same.
  await page.goto(`${url}/p/${project}?run=all&limit=500`);
  await expect(page.getByRole("heading", { name: "Too many turns for one picture" })).toBeVisible();
  await page.getByRole("button", { name: /^Draw all/ }).click();
  const all = (ofOne * logs).toLocaleString("en");
  await expect(page.getByText(`${all} of ${all} turns`)).toBeVisible();
  await expect(figures).toBeVisible();
});

// The health page as a person sees it: a row on which the watchdog really fails, work that nobody takes, and the notices above
// a project when the database has been replaced or the queue is nearly full.
import pg from "pg";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";

test.describe.configure({ timeout: 120_000 });

const asker = `
name: Asker
allowed_tools: [ask_human]
llm_config:
  provider: script
  script:
    - { call: ask_human, arguments: { question: "Which half first?" } }
    - { deliver: "done" }
`;
const own = "name: Own\nworker_target: worker_nowhere\n";

async function makeProject(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const yaml of [asker, own]) await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  return project_id;
}

const delegate = (url: string, project: string, target_ref: string) =>
  api<{ result: { agent_turn_id: string } }>(url, "POST", `/projects/${project}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref, instruction: "begin" },
  });

async function withDatabase<T>(product: Product, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(product.database_url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test("a fresh instance serves its first page", async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
});

test.describe("on its own installation", () => {
  test.describe.configure({ mode: "serial", timeout: 180_000 });
  let product: Product;
  let project = "";
  test.beforeAll(async () => {
    product = await serveOwn();
    project = await makeProject(product.url, "Sick");
  });
  test.afterAll(() => stop(product));

  test("the page says what works, in both themes and on a phone, before any script has run", async ({
    page,
    request,
  }) => {
    const html = await (await request.get(`${product.url}/health`)).text();
    expect(html).toContain("Live updates");
    expect(html).toContain("No standby");
    for (const theme of ["dark", "light"]) {
      await page.goto(product.url);
      await page.evaluate((value) => localStorage.setItem("switchyard-theme", value), theme);
      await page.goto(`${product.url}/p/${project}/agents`);
      await page.keyboard.press("g");
      await page.keyboard.press("s");
      await expect(page).toHaveURL(/\/health$/);
      await expect(page.getByRole("heading", { level: 1, name: "Health" })).toBeVisible();
      await expect(page.getByRole("region", { name: "Database and live updates" })).toContainText("Postgres 1");
      await expect(page.getByRole("region", { name: "Workers" })).toContainText("* any target");
      expect((await axeOf(page).analyze()).violations).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect((await axeOf(page).analyze()).violations).toEqual([]);
  });

  test("a turn that no worker may take names the missing one; a row on which the watchdog fails names its turn and the remedy", async ({
    page,
  }) => {
    await delegate(product.url, project, "Own");
    const { agent_turn_id } = (await delegate(product.url, project, "Asker")).result;
    await withDatabase(product, async (client) => {
      const open = "SELECT request_id FROM state.human_requests WHERE agent_turn_id = $1";
      await expect.poll(async () => (await client.query(open, [agent_turn_id])).rowCount).toBe(1);
      // The database refuses to change the row, as one with a broken page would.
      await client.query(`CREATE FUNCTION public.refuse_expiry() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.status = 'expired' THEN RAISE EXCEPTION 'this row is broken' USING ERRCODE = 'XX001'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON state.human_requests FOR EACH ROW EXECUTE FUNCTION public.refuse_expiry()`);
      await client.query(
        "UPDATE state.human_requests SET deadline_at = now() - interval '1 s' WHERE agent_turn_id = $1",
        [agent_turn_id],
      );
    });
    await page.goto(`${product.url}/health`);
    const waits = page.getByRole("region", { name: "What waits" });
    await expect(waits).toContainText("Missing: a worker of this project that names worker_nowhere");
    const watchdog = page.getByRole("region", { name: "Watchdog" });
    await expect(watchdog).toContainText("A question past its deadline cannot be closed", { timeout: 30_000 });
    await expect(watchdog).toContainText("this row is broken XX001");
    await expect(watchdog).toContainText("or stop the turn");
    await expect(page.getByText("the watchdog cannot handle 1 row")).toBeVisible();
    expect((await axeOf(page).analyze()).violations).toEqual([]);
    await watchdog.getByRole("link", { name: "Open the turn" }).click();
    await expect(page).toHaveURL(new RegExp(`/turns/${agent_turn_id}`));

    await withDatabase(product, (client) => client.query("DROP TRIGGER refuse ON state.human_requests"));
    await page.goto(`${product.url}/health`);
    await expect(watchdog).toContainText("No rows need attention.", { timeout: 60_000 });
  });

  test("a failover to a standby is shown above the yard until it is dismissed; a restore has its own message", async ({
    page,
  }) => {
    const change = (reason: string) =>
      withDatabase(product, (client) =>
        client.query("UPDATE state.installation SET reason = $1, began_at = now(), generation = generation + 1", [
          reason,
        ]),
      );
    await change("promoted");
    await page.goto(`${product.url}/p/${project}`);
    const line = page.getByText(/The database changed to its standby at .*Work acknowledged in the last moments/);
    await expect(line).toBeVisible();
    expect((await axeOf(page).analyze()).violations).toEqual([]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(line).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("link", { name: "Inbox" }).first()).toBeVisible();
    await expect(line).toHaveCount(0);
    await change("restored");
    await page.reload();
    await expect(page.getByText(/The database was restored from a backup at/)).toBeVisible();
    await withDatabase(product, (client) => client.query("UPDATE state.installation SET reason = 'new'"));
  });

  test("a nearly full queue is shown above the yard, with the number and the maximum", async ({ page }) => {
    await withDatabase(product, (client) =>
      client.query(
        `INSERT INTO state.due (project_id, agent_turn_id, worker_target, queued_for)
         SELECT $1, 'turn_fill_' || n, 'worker_nowhere', (SELECT min(agent_id) FROM resource.project_agents WHERE project_id = $1 AND NOT is_human)
         FROM generate_series(1, 18500) n`,
        [project],
      ),
    );
    await page.goto(`${product.url}/p/${project}`);
    await expect(
      page.getByText(/18,50\d of at most 20,000 turns wait; beyond that new ones are refused/),
    ).toBeVisible();
    await expect(page.getByRole("link", { name: "See what waits" })).toBeVisible();
  });
});

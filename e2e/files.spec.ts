// Files in the answer of an MCP server's tool, as a person sees them: the pages of the turn and the card show a picture as a
// picture, and an untrusted SVG or HTML file is a download that runs nothing.
import path from "node:path";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";

const yard = {
  command: process.execPath,
  args: ["--import", "tsx", path.resolve("server/testing/mcp/stdio-server.ts")],
};
let product: Product;
test.beforeAll(async () => {
  product = await serveOwn({ SWITCHYARD_MCP_SERVERS: JSON.stringify({ yard }) });
});
test.afterAll(() => stop(product));

const drawer = `
name: Drawer
mcp_servers: [yard]
allowed_tools: ["yard__*"]
llm_config:
  provider: script
  script:
    - { call: yard__draw }
    - { call: yard__attach }
    - { deliver: "Drawn." }
`;

test("a picture is shown where its result is read; SVG and HTML are downloads", async ({ page }) => {
  test.setTimeout(120_000);
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Files" });
  await api(product.url, "POST", `/projects/${project_id}/profiles`, drawer, "text/yaml");
  const args = { target_strategy: "new", target_ref: "Drawer", instruction: "Draw a signal" };
  const call = `/projects/${project_id}/pmo/delegate_async:call`;
  const { result } = await api<{ result: { agent_turn_id: string } }>(product.url, "POST", call, { args });
  const turn = `/projects/${project_id}/turns/${result.agent_turn_id}`;
  const read = () => api<{ status: string; output_box_id: string }>(product.url, "GET", turn);
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe("success");
  const { output_box_id } = await read();
  const cards = await api<{ card_id: string; type: string }[]>(
    product.url,
    "GET",
    `/projects/${project_id}/boxes/${output_box_id}/cards`,
  );
  const [drawn, attached] = cards.filter((card) => card.type === "tool.result");

  // Direct requests with every header a browser may send: the bytes are unchanged, or not sent again.
  const file = (drawn as { content?: { artifacts?: { sha256: string; size: number }[] } }).content?.artifacts?.[0];
  const address = `${product.url}/api/v1/projects/${project_id}/artifacts/${file?.sha256}`;
  const ask = (headers: Record<string, string>) =>
    fetch(address, { headers: { "accept-encoding": "gzip", ...headers } });
  const whole = await ask({});
  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, file?.size]);
  expect(whole.headers.get("content-encoding")).toBeNull();
  const ranged = await ask({ range: "bytes=0-9" });
  expect([ranged.status, (await ranged.arrayBuffer()).byteLength]).toEqual([200, file?.size]);
  for (const etag of [
    whole.headers.get("etag") ?? "",
    `W/${whole.headers.get("etag")}`,
    `"x", ${whole.headers.get("etag")}`,
  ]) {
    const again = await ask({ "if-none-match": etag });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  }
  const other = await ask({ "if-none-match": '"x"' });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, file?.size]);

  // One pixel wide, so it was loaded: a broken picture has no size.
  const picture = page.getByRole("img", { name: /^Picture, image\/png, 1 × 1/ });
  const cameOf = () => picture.first().evaluate((image: HTMLImageElement) => image.naturalWidth);
  await page.goto(`${product.url}/p/${project_id}/cards/${drawn?.card_id}`);
  await expect(picture.first()).toBeVisible();
  await expect.poll(cameOf).toBe(1);
  await page.goto(`${product.url}/p/${project_id}/turns/${result.agent_turn_id}`);
  await page.getByText("yard__draw").first().click();
  await expect(picture.first()).toBeVisible();
  await expect.poll(cameOf).toBe(1);

  await page.goto(`${product.url}/p/${project_id}/cards/${attached?.card_id}`);
  const files = page.getByRole("list", { name: "Files" }).getByRole("link");
  await expect(files).toHaveText([/^Download image\/svg\+xml, \d+ bytes$/, /^Download text\/html, \d+ bytes$/]);
  await expect(page.getByRole("list", { name: "Files" }).getByRole("img")).toHaveCount(0);
  for (const link of await files.all()) {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.bin$/);
  }
  expect(await page.title()).not.toBe("ran");
});

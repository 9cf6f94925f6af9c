// A server that requires its token: what programs, people and pages of other sites get from it.
import { spawn } from "node:child_process";
import http from "node:http";
import path from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { type Product, stop } from "./serve";
import { expectWalls } from "./walls";

test.describe.configure({ mode: "serial", timeout: 90_000 });
// A single pattern: Playwright would read a list of two as a value and its options.
test.use({ expectedErrors: [/401|429/] });

const token = "a-token-of-the-specs-0123456789";
const bearer = { authorization: `Bearer ${token}` };
const project = "deep";
const deep = `/p/${project}/cards?q=far&role=user`;
let own: Product;

test.beforeAll(async () => {
  own = await serveOwn({
    SWITCHYARD_TOKEN: token,
    SWITCHYARD_ORIGINS: "http://yard.example.org,https://safe.example.org",
  });
  const made = await send("POST", "/api/v1/projects", bearer, { project_id: project, title: "Deep" });
  expect(made.status).toBe(201);
});
test.afterAll(() => stop(own));

test("REST requires the token", async () => {
  const bare = await send("GET", "/api/v1/projects");
  expect([bare.status, bare.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  expect(JSON.parse(bare.text)).toMatchObject({ detail: { error_code: "auth_failed" } });
  expect((await send("GET", "/api/v1/projects", { authorization: "Bearer not-the-token" })).status).toBe(401);
  expect((await send("GET", "/api/v1/projects", bearer)).status).toBe(200);
  expect((await send("GET", "/api/v1/openapi.json")).status).toBe(401);
  expect(JSON.parse((await send("GET", "/api/v1/openapi.json", bearer)).text).security).toEqual([{ bearer: [] }]);
  expect(JSON.parse((await send("GET", "/api/v1/health")).text)).toEqual({ status: expect.any(String) });
  expect(JSON.parse((await send("GET", "/api/v1/health", bearer)).text)).toMatchObject({ version: expect.any(String) });
});

test("so do the events, tRPC and the demo", async () => {
  expect((await send("GET", `/api/v1/projects/${project}/events`)).status).toBe(401);
  const call = await send("GET", "/api/trpc/health.get,project.list?batch=1&input=%7B%7D");
  expect([call.status, JSON.parse(call.text)]).toMatchObject([401, { error: { data: { code: "UNAUTHORIZED" } } }]);
  expect((await send("POST", "/api/demo")).status).toBe(401);
  const stream = await fetch(`${own.url}/api/v1/projects/${project}/events`, {
    headers: bearer,
    signal: AbortSignal.timeout(20_000),
  });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, expect.stringContaining("event-stream")]);
  const first = await stream.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toContain("retry:");
});

test("a foreign host name and a cross-site post are refused, with the token and with a session", async () => {
  const cookie = await sessionOf();
  expect((await send("GET", "/api/v1/projects", { ...bearer, host: "evil.example" })).status).toBe(403);
  expect((await send("GET", "/", { cookie, host: "evil.example" })).status).toBe(403);
  expect((await send("GET", "/api/v1/projects", { cookie, host: "yard.example.org" })).status).toBe(200);
  const foreign: Record<string, string>[] = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign)
    for (const at of ["/api/v1/projects", "/api/trpc/project.create", "/api/demo", "/api/session"])
      expect([at, (await send("POST", at, { cookie, ...headers }, { title: "Theirs" })).status]).toEqual([at, 403]);
  expect(JSON.parse((await send("GET", "/api/v1/projects", bearer)).text).items).toHaveLength(1);
});

test("what is not data is public: the form, its styles, the icon", async () => {
  const form = await send("GET", "/sign-in");
  expect(form.status).toBe(200);
  const style = form.text.match(/\/_next\/static\/[^"]+\.css/)?.[0] ?? "";
  expect((await send("GET", style)).status).toBe(200);
  expect((await send("GET", "/icon.svg")).status).toBe(200);
  const page = await send("GET", deep);
  expect([page.status, page.headers.location]).toEqual([307, `/sign-in?next=${encodeURIComponent(deep)}`]);
});

test("a page redirects to the form, and the form back to the page", async ({ page, context }) => {
  await page.goto(`${own.url}${deep}`);
  await expect(page).toHaveURL(`${own.url}/sign-in?next=${encodeURIComponent(deep)}`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const field = page.getByLabel("Token");
  await expect(field).toBeFocused();
  const button = page.getByRole("button", { name: "Sign in" });
  const before = await button.boundingBox();
  await field.fill("not the token");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Wrong token" })).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  expect(await button.boundingBox()).toEqual(before);
  await expect(field).toBeFocused();
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.url}${deep}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: false, path: "/" });
  expect(cookie?.value).not.toContain(token);
  expect(await page.evaluate(() => document.cookie)).toBe("");
});

test("the form also works without script, and redirects to no other site", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${own.url}/sign-in?next=//evil.example`);
  await page.getByLabel("Token").fill("not the token");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Wrong token");
  expect(page.url()).not.toContain("token=");
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.url}/`);
  await context.close();
});

test("an open page that loses its session redirects to the form and comes back", async ({ page, context }) => {
  await signIn(context);
  await page.goto(`${own.url}/p/${project}?launch=1`);
  await expect(page.getByRole("dialog", { name: "Launch a turn" })).toBeVisible();
  await context.clearCookies();
  await page.waitForURL(/\/sign-in\?next=/, { timeout: 30_000 });
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.url}/p/${project}?launch=1`);
  await expect(page.getByRole("dialog", { name: "Launch a turn" })).toBeVisible();
});

test("a person signs out in the menu or with the palette", async ({ page, context }) => {
  await signIn(context);
  await page.goto(own.url);
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(`${own.url}/sign-in`);
  expect(await context.cookies()).toEqual([]);
  await page.goto(`${own.url}/p/${project}`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await signIn(context);
  await page.goto(own.url);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search, or run a command").fill("> sign out");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.url}/sign-in`);
});

test("signed out, a copied cookie opens nothing, and an open stream ends", async ({ page, context }) => {
  await signIn(context);
  const [{ name, value } = { name: "", value: "" }] = await context.cookies();
  const copy = { cookie: `${name}=${value}` };
  expect((await send("GET", "/api/v1/projects", copy)).status).toBe(200);
  const stream = await fetch(`${own.url}/api/v1/projects/${project}/events`, { headers: copy });
  await page.goto(own.url);
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(`${own.url}/sign-in`);
  await expect.poll(async () => (await send("GET", "/api/v1/projects", copy)).status).toBe(401);
  expect((await send("GET", `/p/${project}`, copy)).status).toBe(307);
  expect((await send("GET", "/api/trpc/project.list", copy)).status).toBe(401);
  // Until its next event, which is a ping after ten seconds at most.
  await stream.text();
});

test("signed out everywhere, the other browsers are redirected to the form", async ({ page, context, browser }) => {
  const other = await browser.newContext();
  await signIn(other);
  const elsewhere = await other.newPage();
  await elsewhere.goto(`${own.url}/p/${project}`);
  await signIn(context);
  await page.goto(own.url);
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(`${own.url}/sign-in`);
  await elsewhere.waitForURL(/\/sign-in\?next=/, { timeout: 30_000 });
  await other.close();
});

test("every refusal has its security headers, and a browser on https is told to stay there", async () => {
  const cookie = await sessionOf();
  const asked: [method: string, at: string, headers: Record<string, string>, status: number][] = [
    ["GET", deep, {}, 307],
    ["GET", "/sign-in", {}, 200],
    ["GET", "/", { cookie, host: "evil.example" }, 403],
    ["GET", "/api/v1/projects", {}, 401],
    ["GET", "/api/v1/projects", { host: "evil.example" }, 403],
    ["GET", "/api/trpc/project.list", {}, 401],
    ["POST", "/api/trpc/project.create", { cookie, origin: "http://evil.example" }, 403],
    ["POST", "/api/demo", {}, 401],
    ["GET", "/api/session", {}, 401],
    ["GET", "/api/v1/openapi.json", bearer, 200],
  ];
  for (const [method, at, headers, status] of asked) {
    const answer = await send(method, at, headers);
    expect([at, answer.status]).toEqual([at, status]);
    expectWalls(answer, at);
    expect(answer.headers["strict-transport-security"]).toBeUndefined();
    const safe = await send(method, at, { ...headers, host: headers.host ?? "safe.example.org" });
    if (headers.host === undefined) expect(safe.headers["strict-transport-security"]).toBe("max-age=31536000");
  }
});

test("a person who is signed in is told so, and is not redirected", async ({ page, context }) => {
  await signIn(context);
  await page.goto(`${own.url}/sign-in?next=${encodeURIComponent(deep)}`);
  await page.getByRole("link", { name: "Go on" }).click();
  await expect(page).toHaveURL(`${own.url}${deep}`);
});

for (const theme of ["dark", "light"] as const)
  test(`axe finds no fault in the form, ${theme}`, async ({ page }) => {
    await page.addInitScript((name) => localStorage.setItem("switchyard-theme", name), theme);
    await page.goto(`${own.url}/sign-in?next=${encodeURIComponent(deep)}`);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    expect((await axeOf(page).analyze()).violations).toEqual([]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "empty" })).toBeVisible();
    expect((await axeOf(page).analyze()).violations).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await noneOutside(page);
  });

test("without a token set there is nothing to sign in to", async ({ page, product }) => {
  await page.goto(`${product.url}/sign-in?next=//evil.example`);
  await expect(page).toHaveURL(`${product.url}/`);
  await expect(page.getByRole("button", { name: "You", exact: true })).toHaveCount(0);
});

test("without a token it refuses to serve a network", async () => {
  const root = path.join(import.meta.dirname, "..");
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts"], {
    cwd: root,
    env: { ...process.env, HOST: "0.0.0.0", PORT: "4600", SWITCHYARD_TOKEN: "", SWITCHYARD_ORIGINS: "" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(1);
  expect(output).toMatch(/HOST=0\.0\.0\.0: without a token there is no authentication.*set SWITCHYARD_TOKEN/);
});

// Last, because it locks out this machine's address for a minute. Callers who write an address themselves gain nothing.
test("ten wrong tokens in a minute are enough", async ({ page }) => {
  const guess = (n: number) =>
    send("POST", "/api/session", { "x-forwarded-for": `203.0.113.${n}` }, { token: `guess ${n}` });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => guess(n)));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2);
  const late = await send("POST", "/api/session", {}, { token });
  expect([late.status, Number(late.headers["retry-after"])]).toEqual([429, expect.any(Number)]);
  expectWalls(late, "/api/session");
  await page.goto(`${own.url}/sign-in`);
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: /Too many wrong tokens.*Try again in \d+ s/ })).toBeVisible();
});

type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** Not with fetch, which cannot send another Host. */
function send(method: string, at: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const request = http.request(
      `${own.url}${at}`,
      { method, headers: { ...json, ...headers }, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** A Cookie header. */
async function sessionOf(): Promise<string> {
  const { status, headers } = await send("POST", "/api/session", {}, { token });
  expect(status).toBe(204);
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

async function signIn(context: BrowserContext): Promise<void> {
  // A new connection: the server may close a kept-alive one at the moment it is used again.
  const headers = { connection: "close" };
  const response = await context.request.post(`${own.url}/api/session`, { data: { token }, headers });
  expect(response.status()).toBe(204);
}

async function noneOutside(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

// A page of another site: it must not be able to show the product in a frame or make its visitors click in it, and every
// answer has the headers that prevent it.
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";
import { ask, expectWalls, handlersOf, pagesOf, routesOf } from "./walls";

test.describe.configure({ timeout: 120_000 });

const profiles = [
  `
name: Careful
allowed_tools: [delegate_async]
requires_approval: [delegate_async]
delegation_policy: { target_tags: [], target_profiles: [Doer] }
llm_config:
  provider: script
  script:
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Doer, instruction: "Burn the letters" } }
    - { deliver: "Came to: {result.1.status}" }
`,
  `
name: Doer
llm_config: { provider: script, script: [{ deliver: "did: {instruction}" }] }
`,
];

/** A project with a call that waits for its approval. */
async function makeApproval(url: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Framed" });
  for (const yaml of profiles) await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  await api(url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Careful", instruction: "Weigh the letters" },
  });
  await expect.poll(() => openIn(url, project_id)).toBe(1);
  return project_id;
}

const openIn = async (url: string, project: string) =>
  (await api<{ items: unknown[] }>(url, "GET", `/projects/${project}/human-requests?status=open`)).items.length;

type Hostile = { port: number; close: () => Promise<void> };

/** Another site that puts `framed` under a tempting button, in every way a page can embed another. */
async function serveHostile(framed: string): Promise<Hostile> {
  const holes = [
    `<iframe src="${framed}"></iframe>`,
    `<iframe sandbox="allow-scripts allow-same-origin allow-forms" src="${framed}"></iframe>`,
    `<object data="${framed}" type="text/html"></object>`,
    `<embed src="${framed}" type="text/html">`,
  ];
  const server = http.createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    const at = Number(request.url?.slice(1));
    const style = "iframe,object,embed{position:absolute;inset:0;width:1440px;height:900px;border:0;opacity:.5}";
    response.end(
      `<!doctype html><title>Win a prize</title><style>${style}</style>${holes[at] ?? "<button>Approve</button>"}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ways = ["an iframe", "a sandboxed iframe", "an object", "an embed"];
// Its name includes the keys.
const approve = (at: Page | Frame) => at.getByRole("button", { name: /^Approve\b/ });
const framed = async (page: Page) => {
  const texts = await Promise.all(page.frames().map((frame) => approve(frame).count()));
  return texts.reduce((sum, n) => sum + n, 0);
};

test.describe("a page of another site", () => {
  // What the browser logs about content it did not show; these tests expect it.
  test.use({ expectedErrors: [/frame|X-Frame-Options|Content Security Policy|403|reported: /i] });

  // Under the other host name the neighbour is cross-site; under the same one it is same-site, and the browser sends cookies.
  for (const host of ["localhost", "127.0.0.1"])
    test(`at ${host} shows nothing of the inbox, and approves nothing`, async ({ product, page }) => {
      const project = await makeApproval(product.url);
      const inbox = `${product.url}/p/${project}/inbox`;
      await page.goto(inbox);
      const button = approve(page);
      await expect(button).toBeVisible();
      const place = await button.boundingBox();
      const hostile = await serveHostile(inbox);
      // Proves that this search finds a button in a frame if there is one.
      const control = await serveHostile(`http://127.0.0.1:${hostile.port}/none`);
      await page.goto(`http://${host}:${control.port}/0`);
      await expect.poll(() => framed(page)).toBe(1);
      for (const [at, way] of ways.entries()) {
        await page.goto(`http://${host}:${hostile.port}/${at}`, { waitUntil: "load" });
        // Wait longer than the inbox took above, in case the frame appears late.
        await page.waitForTimeout(1_500);
        await page.mouse.click((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2);
        expect([way, await framed(page), await openIn(product.url, project)]).toEqual([way, 0, 1]);
      }
      await Promise.all([hostile.close(), control.close()]);
      // The button is real: in its own tab it does what it says.
      await page.goto(inbox);
      await approve(page).click();
      await expect.poll(() => openIn(product.url, project)).toBe(0);
    });
});

test("a request for a frame is refused before anything is read", async ({ product }) => {
  for (const dest of ["iframe", "frame", "fencedframe", "object", "embed"])
    for (const at of ["/", "/sign-in", "/api/v1/projects", "/api/trpc/project.list", "/api/session"]) {
      const answer = await ask(product.url, at, { headers: { "sec-fetch-dest": dest } });
      // Without a token there is no session and no form.
      if (at === "/api/session" || at === "/sign-in") expect([403, 404]).toContain(answer.status);
      else expect([at, dest, answer.status]).toEqual([at, dest, 403]);
      expectWalls(answer, at);
    }
});

test.describe("pages", () => {
  test.use({ expectedErrors: [/404 .*nowhere/] });
  test("every page, also one that does not exist, has its security headers and runs its scripts", async ({
    product,
    page,
  }) => {
    const project = await makeProject(product.url, "Walled", { isBrisk: true });
    const { root_turn_id, child } = await launchLead(product.url, project);
    await runEnds(product.url, project);
    // Of the same name as the profile, so that the address with a name leads to both.
    await api(product.url, "POST", `/projects/${project}/plans?user=ann`, {
      switchyard: "plan/1",
      name: "Lead",
      nodes: [{ id: "a", target: { ref: "Lead" }, instruction: "Look" }],
    });
    const turn = await api<{ context_box_id: string; instruction_card_id: string; agent_id: string }>(
      product.url,
      "GET",
      `/projects/${project}/turns/${child}`,
    );
    const ids = {
      project,
      turn: child,
      box: turn.context_box_id,
      card: turn.instruction_card_id,
      agent: turn.agent_id,
      name: "Lead",
    };
    const pages = [
      ...pagesOf(ids),
      `/p/${project}?turn=${root_turn_id}`,
      "/nowhere",
      "/p/nowhere",
      `/p/${project}/nowhere`,
    ];
    expect(pages.length).toBeGreaterThan(18);
    expect(pages).toContain(`/p/${project}/turns/${child}`);
    for (const at of pages) {
      const answer = await ask(product.url, at);
      expect(answer.status, at).toBeLessThan(500);
      expectWalls(answer, at);
      await page.goto(`${product.url}${at}`);
      // Set by the theme's inline script, which runs only because of the nonce.
      await expect(page.locator("html"), at).toHaveAttribute("data-theme", "light");
      await expect(page.getByRole("heading").first(), at).toBeVisible();
    }
  });
});

test("every route and everything Next answers by itself has its security headers", async ({ product }) => {
  const routes = await routesOf(product.url);
  expect(routes.length).toBeGreaterThan(60);
  for (const { method, at } of routes) {
    const body = ["GET", "HEAD", "DELETE"].includes(method) ? undefined : "{}";
    expectWalls(await ask(product.url, at, { method, body, headers: { "content-type": "application/json" } }), at);
  }
  for (const at of [...handlersOf(), "/api", "/api/nowhere", "/api/v1/%", "/api/trpc/health.get?batch=1&input=%7B%7D"])
    for (const method of ["GET", "POST", "PUT", "OPTIONS", "HEAD", "PURGE"])
      expectWalls(await ask(product.url, at, { method }), at);
  const script = (await ask(product.url, "/")).text.match(/\/_next\/static\/[^"\\]+\.js/)?.[0] ?? "";
  const others = [
    ...[script, "/_next/static/nowhere.js", "/_next/image?url=%2Ficon.svg&w=64&q=75", "/icon.svg", "/favicon.ico"],
    ...["/%", "/%00", "//evil.example", "/p/%E0%A4%A", "/sign-in/", "/?__proto__[x]=1", "/_next/data/x.json"],
  ];
  for (const at of others)
    for (const method of ["GET", "HEAD", "POST"]) expectWalls(await ask(product.url, at, { method }), at);
  expect((await ask(product.url, script)).headers["cache-control"]).toContain("immutable");
});

test("streams too", async ({ product }) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Streams" });
  const input = encodeURIComponent(JSON.stringify({ project_id, after: "0" }));
  for (const at of [`/api/v1/projects/${project_id}/events`, `/api/trpc/graph.stream?input=${input}`]) {
    const answer = await ask(product.url, at);
    expect([at, answer.status, answer.headers["content-type"]]).toEqual([
      at,
      200,
      expect.stringContaining("text/event-stream"),
    ]);
    expectWalls(answer, at);
  }
});

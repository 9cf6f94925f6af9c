// Untrusted bytes on our own origin: pictures are shown, anything else is a download, and no script in them runs. A real
// browser opens them, since its reaction to the headers is what counts.
import { chromium } from "@playwright/test";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findChromium } from "@/scripts/chromium";
import { artifactRefs, storeArtifacts } from "@/server/kernel/artifacts/store-artifacts";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { serveRestOnPort } from "@/server/testing/rest-server";

let kernel: TestKernel;
const project_id = "art";
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const RUN = "document.title='ran';fetch('/api/v1/projects/art/cards');localStorage.x=1";
const SVG = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${RUN}"><script>${RUN}</script></svg>`,
);
const HTML = Buffer.from(`<!doctype html><title>page</title><script>${RUN}</script>`);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "other", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const rest = restOf(() => kernel);
const store = async (mime: string, bytes: Buffer) => {
  const files = [{ mime, bytes }];
  const artifacts = artifactRefs(files, kernel.tunables.artifactBytesMax);
  const content = { kind: "tool_result", status: "success", artifacts } as const;
  await withUnit(kernel, async (unit) => {
    await storeArtifacts(unit, { project_id, files });
    await insertCards(unit, { project_id, cards: [{ type: "note", author_id: "tool", content }] });
  });
  const [ref] = artifacts;
  if (!ref) throw new Error("a file was given and none was stored");
  return ref;
};
const pathOf = ({ sha256 }: { sha256: string }, of = project_id) => `/projects/${of}/artifacts/${sha256}`;

test("the same bytes are kept once, under what they are and not under what is said of them", async () => {
  const one = await store("text/html", DOT);
  expect(one).toMatchObject({ mime: "image/png", size: DOT.length, width: 1, height: 1 });
  const before = await countRows(kernel);
  const twice = [1, 2].map(() => ({ mime: "x", bytes: DOT }));
  expect(artifactRefs(twice, DOT.length)).toEqual([one]);
  await withUnit(kernel, (unit) => storeArtifacts(unit, { project_id, files: twice }));
  expect(await countRows(kernel)).toEqual(before);
  const bytes = Buffer.alloc(kernel.tunables.artifactBytesMax + 1);
  await expect(store("image/png", bytes)).rejects.toMatchObject({ code: "payload_too_large" });
  expect(await countRows(kernel)).toEqual(before);
});

test("a missing digest, a malformed one and another project's are not found", async () => {
  const ref = await store("image/png", DOT);
  expect((await rest.refused("GET", pathOf(ref, "other"))).status).toBe(404);
  expect((await rest.refused("GET", pathOf({ sha256: "0".repeat(64) }))).status).toBe(404);
  expect((await rest.refused("GET", pathOf({ sha256: "x" }))).status).toBe(404);
});

test("a picture is shown; a hostile SVG and HTML are downloads, and a browser runs nothing of them", async () => {
  const server = await serveRestOnPort(kernel);
  onTestFinished(() => server.close());
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const at = (ref: { sha256: string }) => `${server.url}/api/v1${pathOf(ref)}`;

  const picture = await page.goto(at(await store("image/png", DOT)));
  expect(picture?.headers()).toMatchObject({
    "content-type": "image/png",
    "content-disposition": "inline",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
  });
  expect(await picture?.body()).toEqual(DOT);

  // A page of the same origin, whose scripts may run.
  await page.goto(`${server.url}/api/v1/openapi.json`);
  for (const [mime, bytes] of [
    ["image/svg+xml", SVG],
    ["text/html", HTML],
    ["image/png", HTML],
  ] as const) {
    const ref = await store(mime, bytes);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.goto(at(ref)).catch((error: Error) => expect(error.message).toMatch(/Download is starting|ERR_ABORTED/)),
    ]);
    expect(download.suggestedFilename()).toBe(`${ref.sha256.slice(0, 12)}.bin`);
    // Also from a page of the same origin: not as a picture, a frame or a script.
    const answer = await page.request.get(at(ref));
    expect(answer.headers()).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment; /),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    const outcome = await page.evaluate(
      (src) =>
        new Promise<string>((done) => {
          const image = document.createElement("img");
          image.onload = () => done("shown");
          image.onerror = () => done("refused");
          image.src = src;
        }),
      at(ref),
    );
    expect(outcome).toBe("refused");
  }
  expect(await page.title()).not.toBe("ran");
  expect(asked.filter((path) => path.endsWith("/cards"))).toEqual([]);
});

test("they go with their project", async () => {
  await store("image/png", DOT);
  const left = async () =>
    (await kernel.db.pool.query("SELECT 1 FROM resource.artifacts WHERE project_id = $1", [project_id])).rowCount;
  expect(await left()).toBeGreaterThan(0);
  await deleteProject(kernel, project_id);
  expect(await left()).toBe(0);
});

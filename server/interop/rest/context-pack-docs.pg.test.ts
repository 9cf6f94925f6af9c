// Every example of docs/context-packs.md is sent as it stands there, with its ids made to exist.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { withUnit } from "@/server/kernel/unit";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { routes } from "./routes";

let kernel: TestKernel;
const P = "pack_docs";
const { ok, post } = restOf(() => kernel);
const text = fs.readFileSync("docs/context-packs.md", "utf8");
const [build = "", merge = "", ...others] = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
  ([, code]) => code ?? "",
);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

test("the examples are two bodies, and both are answered", async () => {
  expect(others).toEqual([]);
  const content = { kind: "text", text: "retry with backoff" } as const;
  await withUnit(kernel, (unit) =>
    insertCards(unit, { project_id: P, cards: [{ card_id: "card-1", type: "note", author_id: "t", content }] }),
  );
  const { box_id } = await ok("POST", `/projects/${P}/boxes`, { card_ids: ["card-1"] });
  const body = JSON.parse(build.replace("box-1", box_id));
  const estimate = await ok("POST", `/projects/${P}/context-packs:estimate`, body);
  const built = await post(`/projects/${P}/context-packs`, body);
  expect(built).toMatchObject({ status: 201, json: { estimate: estimate.estimate } });
  const other = await post(`/projects/${P}/context-packs`, { ...body, goal: "Another part." });
  const given = JSON.parse(
    merge
      .replace("artifact://context/pack-1.json", built.json.artifact_ref)
      .replace("11111111-1111-1111-1111-111111111111", other.json.pack_id),
  );
  expect(await post(`/projects/${P}/context-packs:merge`, given)).toMatchObject({ status: 201 });
});

test("each request that the page names is served", () => {
  const named = [...text.matchAll(/\b(GET|POST) (?:\/api\/v1\/projects\/\{p\})?(\/context-packs[^\s`?]*)/g)].map(
    ([, method, path = ""]) => `${method} /projects/{project_id}${path}`,
  );
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  expect(named.length).toBeGreaterThan(6);
  expect(named.filter((one) => !served.includes(one))).toEqual([]);
});

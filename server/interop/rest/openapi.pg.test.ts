// The OpenAPI document as a client generator reads it: valid, complete, and enough for a client that compiles and runs.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { serveRestOnPort } from "@/server/testing/rest-server";
import { isReading } from "./route";
import { routes } from "./routes";

let kernel: TestKernel;
const { get } = restOf(() => kernel);
// Near node_modules, so that the client finds openapi-fetch as in its own project.
const cache = path.join(import.meta.dirname, "../../../node_modules/.cache");
let folder: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1");
  fs.mkdirSync(cache, { recursive: true });
  folder = fs.mkdtempSync(path.join(cache, "openapi-client-"));
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await kernel.close();
});

test("the document is valid OpenAPI 3.1 and every reference in it leads somewhere", async () => {
  const { json: document } = await get("/openapi.json");
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const text = JSON.stringify(document);
  expect(text).not.toContain("$defs");
  for (const [, to] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) expect(document).toHaveProperty((to ?? "").split("/"));
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(["Turn", "Card", "Box", "BatchDetail", "Project", "ProfileDetail", "Agent"]),
  );
});

test("every route declares its answer, a name of its own, a tag and what it is refused with", async () => {
  const names = routes.map((route) => route.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  const undeclared = routes.filter(
    ({ answer, event, isBytes, status }) => !answer && !event && !isBytes && status !== 204,
  );
  expect(undeclared.map(({ operationId }) => operationId)).toEqual([]);
  const { json: document } = await get("/openapi.json");
  const launch = document.paths["/projects/{project_id}/pmo/{tool}:call"].post;
  expect(launch).toMatchObject({ operationId: "launch", tags: ["pmo"] });
  expect(Object.keys(launch.responses)).toEqual(
    expect.arrayContaining(["200", "400", "404", "409", "422", "429", "503"]),
  );
  expect(document.components.responses.Refused429.headers).toHaveProperty("Retry-After");
  expect(document.components.responses.Refused405.headers).toHaveProperty("Allow");
  const events = document.paths["/projects/{project_id}/events"].get.responses["200"].content;
  expect(Object.keys(events)).toEqual(["text/event-stream"]);
});

test("every operation has a summary, one tag, an answer, and the refusals that its method and path can meet", async () => {
  const { json: document } = await get("/openapi.json");
  const tags = document.tags.map(({ name }: { name: string }) => name);
  const operations = routes.map(({ path: at, method, isOpen, sameStatus }) => {
    const operation = document.paths[at][method.toLowerCase()];
    const expected = ["400", ...(isOpen ? [] : ["401", "503"]), "403", "405", "429"];
    if (at.includes("{")) expected.push("404");
    if (!isReading(method)) expected.push("408", "409", "413", "415", "422");
    const answers = sameStatus === undefined ? 1 : 2;
    return { operation, answers, missing: expected.filter((status) => !(status in operation.responses)) };
  });
  for (const { operation, answers, missing } of operations) {
    const { operationId, summary } = operation;
    expect({ operationId, missing }).toEqual({ operationId, missing: [] });
    expect(summary, operationId).toMatch(/^[A-Z].+[^.]$/);
    expect(operation.tags, operationId).toHaveLength(1);
    expect(tags, operationId).toContain(operation.tags[0]);
    expect(
      Object.keys(operation.responses).filter((status) => status < "300"),
      operationId,
    ).toHaveLength(answers);
  }
});

test("types of bodies and answers are the ones that are sent and taken", async () => {
  const { json: document } = await get("/openapi.json");
  const answered = (path: string) => Object.keys(document.paths[path].get.responses["200"].content);
  const run = "/projects/{project_id}/runs/{root_turn_id}";
  expect(answered(`${run}/bundle`)).toEqual(["application/gzip"]);
  expect(answered(`${run}/report.html`)).toEqual(["text/html"]);
  expect(answered("/schemas/{name}")).toEqual(["application/schema+json"]);
  expect(answered("/projects/{project_id}/artifacts/{sha256}")).toContain("image/png");
  // Its arguments are named by the tool's own schema, and required all the same.
  expect(document.paths["/projects/{project_id}/pmo/{tool}:call"].post.requestBody.required).toBe(true);
  const { content } = document.paths["/projects/{project_id}/imports"].post.requestBody;
  expect(Object.keys(content)).toEqual(["application/json", "*/*"]);
  expect(content["*/*"].schema).toEqual({ type: "string", format: "binary" });
  expect(content["application/json"].schema.required).toContain("format");
});

test("the body of an imported profile has every field that the document requires of it", async () => {
  const logs = path.join(import.meta.dirname, "../../../examples/logs");
  const file = fs.readdirSync(logs).find((name) => name.endsWith(".json")) ?? "";
  const data = JSON.parse(fs.readFileSync(path.join(logs, file), "utf8"));
  const rest = restOf(() => kernel);
  await rest.ok("POST", "/projects/p1/imports", { format: "who-and-when", data });
  const { json: document } = await get("/openapi.json");
  const { required } = document.components.schemas.ProfileDetail.properties.body;
  const { items } = await rest.ok("GET", "/projects/p1/profiles");
  expect(items.length).toBeGreaterThan(0);
  for (const { name } of items) {
    const { body } = await rest.ok("GET", `/projects/p1/profiles/${encodeURIComponent(name)}`);
    expect(Object.keys(body), name).toEqual(expect.arrayContaining(required));
  }
});

/** A typical program: it launches a run, reads its turn and the cards that the turn got. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./paths.js";

const { GET, POST } = createClient<paths>({ baseUrl: process.argv[2] + "/api/v1" });
const project_id = "p1";
const launched = await POST("/projects/{project_id}/pmo/{tool}:call", {
  params: { path: { project_id, tool: "delegate_async" } },
  body: { args: { target_strategy: "new", target_ref: "Helper", instruction: "count the boxes" } },
});
if (!launched.data) throw new Error(launched.error.detail.error_message);
if (!("result" in launched.data) || !("agent_turn_id" in launched.data.result)) throw new Error("no child");
const { agent_turn_id } = launched.data.result;
const turn = await GET("/projects/{project_id}/turns/{agent_turn_id}", { params: { path: { project_id, agent_turn_id } } });
if (!turn.data) throw new Error(turn.error.detail.error_message);
const box_id: string = turn.data.context_box_id;
const cards = await GET("/projects/{project_id}/boxes/{box_id}/cards", { params: { path: { project_id, box_id } } });
if (!cards.data) throw new Error(cards.error.detail.error_message);
const texts = cards.data.map((card: components["schemas"]["BoxCard"]) => (card.content?.kind === "text" ? card.content.text : ""));
// @ts-expect-error: the types are strict enough to catch a misspelt field
turn.data.agent_turn_idd;
const plan: components["schemas"]["PlanBodyInput"] = {
  switchyard: "plan/1",
  nodes: [{ target: { ref: "Helper" }, instruction: "x" }, { id: "f", kind: "fork", tasks: [{ instruction: "y" }] }],
};
// @ts-expect-error: a field of a node that is misspelt
const misspelt: components["schemas"]["PlanBodyInput"] = { switchyard: "plan/1", nodes: [{ instructions: "x" }] };
const checked = await POST("/projects/{project_id}/plans:check", { params: { path: { project_id } }, body: { body: plan } });
const found = checked.data?.problems.map((problem) => problem.at);
const wrong = await GET("/projects/{project_id}", { params: { path: { project_id: "nowhere" } } });
const code: components["schemas"]["Error"]["detail"]["error_code"] | undefined = wrong.error?.detail.error_code;
process.stdout.write(JSON.stringify({ status: turn.data.status, texts, found, code }));
`;

test("a client that is generated from it compiles in strict mode, launches a run, and reads its turn and cards", async () => {
  const profile = { name: "Helper", llm_config: { provider: "script", script: [{ deliver: "done" }] } };
  await restOf(() => kernel).ok("POST", "/projects/p1/profiles", profile);
  const { json: document } = await get("/openapi.json");
  fs.writeFileSync(path.join(folder, "paths.ts"), astToString(await openapiTS(document)));
  fs.writeFileSync(path.join(folder, "client.ts"), PROGRAM);
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  expect(compile(path.join(folder, "client.ts"))).toEqual([]);
  const server = await serveRestOnPort(kernel);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, "client.js"), server.url]);
    expect(JSON.parse(stdout)).toEqual({
      status: "dispatched",
      texts: expect.arrayContaining([expect.stringContaining("count the boxes")]),
      found: expect.arrayContaining(["f.y"]),
      code: "not_found",
    });
  } finally {
    await server.close();
  }
});

function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: ["node"],
    skipLibCheck: true,
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

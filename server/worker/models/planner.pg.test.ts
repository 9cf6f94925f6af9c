// A whole run of two profiles that other people wrote, over Gemini's wire: a planner forks two searches, each calls a tool
// and submits, the planner joins and submits. Skipped where the profiles are not there.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { parseProfile, parseYaml } from "@/server/kernel/roster/parse-profile";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { stepsOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireRequest, type WireServer } from "@/server/testing/wire/wire-server";
import type { Worker } from "../loop";
import { modelsOf } from "./models";

const P = "planner";
const KEY = "AIza-secret-0123456789";
const wanted = ["principal_planner_fullflow.yaml", "associate_search.yaml"];
const files = sharedFiles("profiles", ".yaml").filter(({ name }) => wanted.includes(name));
const profiles = files.map(({ path }) => parseProfile(parseYaml(fs.readFileSync(path, "utf8"))));

let kernel: TestKernel;
let worker: Worker;
let server: WireServer;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 50 } });
  server = await startWireServer({ provider: "google", replies: speak });
  const settings = parseEnv({ GEMINI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_BASE_URL: server.url });
  worker = await startTestWorker(kernel, { models: modelsOf(() => settings) });
});
afterAll(async () => {
  await worker.stop();
  await server.close();
  await kernel.close();
});

type Part = {
  text?: string;
  functionCall?: { name: string };
  functionResponse?: { name: string; response: { content: string } };
};
type Content = { role: string; parts: Part[] };
const contentsOf = (request: WireRequest) => request.body.contents as Content[];
const systemOf = ({ body }: WireRequest) => (body.systemInstruction as Content).parts[0]?.text ?? "";
const toolsOf = ({ body }: WireRequest) =>
  (body.tools as { functionDeclarations: { name: string }[] }[])[0]?.functionDeclarations.map((tool) => tool.name) ??
  [];
const isPlanner = (request: WireRequest) => toolsOf(request).includes("fork_join");
const textsOf = (contents: Content[]) => contents.flatMap(({ parts }) => parts.flatMap((part) => part.text ?? []));

const usage = { input_tokens: 2_000, output_tokens: 100 };
const submit = (fields: Record<string, string>): WireReply => ({
  usage,
  calls: [
    {
      name: "submit_result",
      signature: "c3VibWl0",
      arguments: { result: { fields: Object.entries(fields).map(([name, value]) => ({ name, value })) } },
    },
  ],
});
const task = (about: string) => ({
  target_strategy: "new",
  target_ref: "Associate_Search",
  instruction: `Find out about ${about}.`,
});

/** By who asks and how far it is, since nobody knows which search comes first. */
function speak(request: WireRequest): WireReply {
  const contents = contentsOf(request);
  const isFirst = !contents.some((content) => content.role === "model");
  const told = textsOf(contents).join("\n");
  const about = told.includes("about ships") ? "ships" : "harbours";
  if (isPlanner(request))
    return isFirst
      ? {
          usage,
          reasoning: "Two tasks will do.",
          calls: [
            { name: "fork_join", arguments: { tasks: [task("ships"), task("harbours")] }, signature: "Zm9yaw==" },
          ],
        }
      : submit({ summary: "Both are known.", output: "A report.", sources: "" });
  if (!isFirst) return submit({ summary: `All about ${about}.`, output: "Long.", sources: "a, b" });
  const call = (q: string, signature?: string) => ({
    name: "web_search",
    arguments: { query: `${q} ${about}` },
    signature,
  });
  return { usage, calls: [call("old", "c2VhcmNo"), call("new")] };
}

/** Does what a search service would, until the turn has ended. */
async function serveSearches(root: string): Promise<TurnRow> {
  const done = untilTurn(kernel, P, root);
  let isOver = false;
  const over = done.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { rows } = await kernel.db.pool.query<{ tool_call_id: string }>(
      `SELECT w.tool_call_id FROM state.turn_waiting_tools w JOIN cards c ON c.tenant_id = w.project_id AND c.tool_call_id = w.tool_call_id
       WHERE w.project_id = $1 AND w.wait_status = 'waiting' AND c.content ->> 'tool_name' = 'web_search'`,
      [P],
    );
    for (const { tool_call_id } of rows)
      await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: { found: tool_call_id } });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return over;
}

test.skipIf(files.length < wanted.length)("a planner forks two searches, joins them and submits", async () => {
  await seedProject(
    kernel,
    P,
    profiles.map(({ body }) => body),
  );
  const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
  await saveTool(kernel, { project_id: P, tool: { tool_name: "web_search", description: "Searches.", parameters } });
  const { agent_turn_id } = await launchTurn(kernel, P, {
    target: "Principal_Planner_FullFlow",
    instruction: "Compare ships and harbours.",
  });
  const root = await serveSearches(agent_turn_id);
  expect([root.status, root.error]).toEqual(["success", null]);
  expect(await deliverableOf(kernel, root)).toMatchObject({
    fields: [
      { name: "summary", value: "Both are known." },
      { name: "output", value: "A report." },
      { name: "sources", value: "" },
    ],
  });

  const { rows: turns } = await kernel.db.pool.query<TurnRow>(
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND primitive <> 'ui_action'",
    [P, root.root_turn_id],
  );
  expect(turns.map((turn) => turn.status)).toEqual(["success", "success", "success"]);
  const steps = (await Promise.all(turns.map((turn) => stepsOf(kernel, turn)))).flat();
  const hex = (bytes: Buffer) => bytes.toString("hex");
  expect(steps.map((step) => hex(step.request_bytes)).sort()).toEqual(
    server.requests.map(({ bytes }) => hex(bytes)).sort(),
  );
  expect(server.requests).toHaveLength(6);
  // 2,000 in at 0.5 and 100 out at 3 dollars a million, twice.
  expect(turns.map((turn) => Number(turn.cost))).toEqual([0.0026, 0.0026, 0.0026]);

  const [first, last] = server.requests.filter(isPlanner);
  if (!first || !last) throw new Error("the planner asks twice");
  expect(toolsOf(first)).toEqual(expect.arrayContaining(["fork_join", "submit_result"]));
  const [planner, search] = ["Principal_Planner_FullFlow", "Associate_Search"].map(promptOf);
  expect(systemOf(first).startsWith(planner ?? "none")).toBe(true);
  expect(contentsOf(first).map((content) => content.role)).toEqual(["user"]);
  expect(textsOf(contentsOf(first)).at(-1)).toMatch(/Compare ships and harbours\.$/);
  expect(contentsOf(last).map((content) => content.role)).toEqual(["user", "model", "user"]);
  const [asked, said, joined] = contentsOf(last);
  expect(asked).toEqual(contentsOf(first)[0]);
  expect(said?.parts.at(-1)).toMatchObject({ thoughtSignature: "Zm9yaw==", functionCall: { name: "fork_join" } });
  const result = JSON.parse(joined?.parts[0]?.functionResponse?.response.content ?? "null");
  expect(result).toMatchObject({
    status: "success",
    results: [
      { task_index: 0, status: "success", summary: expect.stringContaining("All about ships.") },
      { task_index: 1, status: "success", summary: expect.stringContaining("All about harbours.") },
    ],
  });

  const searches = server.requests.filter((request) => !isPlanner(request));
  expect(searches.every((request) => systemOf(request).startsWith(search ?? "none"))).toBe(true);
  const back = searches.filter((request) => contentsOf(request).length > 1);
  for (const request of back) {
    const contents = contentsOf(request);
    expect(contents.map((content) => content.role)).toEqual(["user", "model", "user"]);
    expect(contents[1]?.parts.flatMap((part) => part.functionCall?.name ?? [])).toEqual(["web_search", "web_search"]);
    expect(contents[2]?.parts.map((part) => part.functionResponse?.name)).toEqual(["web_search", "web_search"]);
  }
  expect(back).toHaveLength(2);
});

/** The profile's own words, as its template says them. */
function promptOf(name: string): string {
  const body = profiles.find((profile) => profile.body.name === name)?.body;
  const template = body?.system_prompt_template ?? body?.system_prompt ?? "";
  return template.replaceAll("{{", "{").replaceAll("}}", "}").trim();
}

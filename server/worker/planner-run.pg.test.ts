// Two unchanged profiles written by other people: a planner that forks two searches, each of which searches the web and
// submits; then the planner submits. Everything goes over REST, the models use Google's wire format, and what each of them
// was sent is compared with planner-run/, word for word.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { Card } from "@/server/contract/card";
import { parseEnv } from "@/server/env";
import { readBoxCards } from "@/server/kernel/cardbox/read-box-cards";
import type { CommandRing } from "@/server/kernel/kernel";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { type GoogleBody, showGoogleRequest } from "@/server/testing/google-request";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { sharedFiles } from "@/server/testing/shared-data";
import { type StepRow, stepsOf, typesOf } from "@/server/testing/steps";
import { deliverableOf, outputOf, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireRequest, type WireServer } from "@/server/testing/wire/wire-server";
import type { Worker } from "./loop";
import { modelsOf } from "./models/models";

const P = "planning";
const KEY = "AIza-0123456789abcdef";
const path = "/v1beta/models/gemini-3-flash-preview:streamGenerateContent";
const wanted = ["principal_planner_fullflow.yaml", "associate_search.yaml"];
const files = sharedFiles("profiles", ".yaml").filter(({ name }) => wanted.includes(name));
const sources = new Map(files.map((file) => [file.name, fs.readFileSync(file.path, "utf8")]));

let kernel: TestKernel;
let wire: WireServer;
let worker: Worker;
const { ok, send } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel();
  wire = await startWireServer({ provider: "google", replies: reply });
  const settings = parseEnv({ GEMINI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_BASE_URL: wire.url });
  worker = await startTestWorker(kernel, { models: modelsOf(() => settings) });
});
afterAll(async () => {
  await worker.stop();
  await wire.close();
  await kernel.close();
});

const asked = "Compare ferries and freight trains for moving grain.";
const tasks = {
  ferry: "What does it cost to move a tonne of grain by ferry?",
  rail: "What does it cost to move a tonne of grain by rail?",
};
type Search = keyof typeof tasks;

test.skipIf(files.length < wanted.length)(
  "the planner forks two searches, they search and submit, it joins and submits; every prompt matches the recorded one",
  async () => {
    const planner = await play();
    expect(planner).toMatchObject({ status: "success", error: null, step_count: 2 });
    expect(await deliverableOf(kernel, planner)).toEqual(fieldsOf("Rail.", "Rail costs half.", "two searches"));
    const searches = await searchesOf(planner);
    for (const [name, turn] of Object.entries(searches)) {
      expect(turn).toMatchObject({ status: "success", primitive: "fork_join", step_count: 2 });
      expect(await deliverableOf(kernel, turn)).toEqual(fieldsOf(`By ${name}.`, `near and far by ${name}`, ""));
    }
    const steps = await Promise.all([planner, searches.ferry, searches.rail].map((turn) => stepsOf(kernel, turn)));
    sentIsWhatIsKept(steps.flat());
    // 1,000 in and 100 out a step.
    expect([planner, searches.ferry, searches.rail].map((turn) => [turn.tokens_in, turn.tokens_out])).toEqual(
      Array.from({ length: 3 }, () => [2_000, 200]),
    );
    for (const [i, name] of (["planner", "ferry", "rail"] as const).entries())
      for (const [n, step] of (steps[i] ?? []).entries())
        await expect(await shown(step)).toMatchFileSnapshot(`planner-run/${name}-${n + 1}.txt`);
    const declared = steps.flat().flatMap((step) => toolsOf(step));
    const byName = Object.fromEntries(declared.map((tool) => [tool.name, tool]));
    // The same tool has the same description for everybody.
    for (const tool of declared) expect(tool).toEqual(byName[tool.name]);
    await expect(`${JSON.stringify(byName, null, 2)}\n`).toMatchFileSnapshot("planner-run/tools.json");
  },
);

test.skipIf(files.length < wanted.length)("its records: cards in order, one batch, one result per call", async () => {
  const { rows } = await kernel.db.pool.query<TurnRow>(
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND depth = 1",
    [P],
  );
  const planner = rows[0] as TurnRow;
  expect(typesOf(await outputOf(kernel, planner))).toEqual([
    ...["agent.thought", "tool.call", "tool.result"],
    ...["agent.thought", "tool.call", "tool.result", "task.deliverable"],
  ]);
  const { ferry } = await searchesOf(planner);
  const cards = await outputOf(kernel, ferry);
  expect(typesOf(cards).slice(0, 5)).toEqual(["agent.thought", "tool.call", "tool.call", "tool.result", "tool.result"]);
  // The service answered the second call first.
  const calls = cards.filter((card) => card.type === "tool.call").map((card) => card.tool_call_id);
  const results = cards.filter((card) => card.type === "tool.result").map((card) => card.tool_call_id);
  expect(results).toEqual([calls[1], calls[0], calls[2]]);
  const { items } = await ok("GET", `/projects/${P}/batches`);
  expect(items).toMatchObject([{ status: "success", task_count: 2 }]);
});

/** The planner's turn, when it has ended. */
async function play(): Promise<TurnRow> {
  await ok("POST", "/projects", { project_id: P, title: "Planning" });
  for (const raw of sources.values())
    expect((await send("POST", `/projects/${P}/profiles`, { raw, type: "text/yaml" })).status).toBe(201);
  await ok("POST", `/projects/${P}/tools`, {
    tool_name: "web_search",
    description: "Searches the web.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    target_subject: "cmd.tool.web_search",
  });
  await kernel.doorbell.listen((ring) => {
    if (ring.kind === "command") heard(ring);
  });
  const { result } = await ok("POST", `/projects/${P}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Principal_Planner_FullFlow", instruction: asked },
  });
  return untilTurn(kernel, P, result.agent_turn_id);
}

async function searchesOf(planner: TurnRow): Promise<Record<Search, TurnRow>> {
  const { rows } = await kernel.db.pool.query<TurnRow>(
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY title",
    [P, planner.agent_turn_id],
  );
  expect(rows.map((row) => row.title)).toEqual([tasks.ferry, tasks.rail]);
  const [ferry, rail] = rows as [TurnRow, TurnRow];
  return { ferry, rail };
}

// The search service: it receives a call on the bus, reads the query, and reports, the far place before the near one.
const calls = new Map<string, CommandRing[]>();

function heard(ring: CommandRing): void {
  const own = calls.get(ring.agent_turn_id) ?? [];
  if (own.some((call) => call.tool_call_id === ring.tool_call_id)) return;
  calls.set(ring.agent_turn_id, [...own, ring]);
  if (own.length === 1) void answer([ring, ...own]);
}

async function answer(rings: CommandRing[]): Promise<void> {
  for (const { tool_call_id, tool_call_card_id } of rings) {
    const card: Card = await ok("GET", `/projects/${P}/cards/${tool_call_card_id}`);
    const asked = card.content?.kind === "tool_call" ? (card.content.arguments as { query: string }) : null;
    const body = { status: "success", result: { hits: [`what is known of ${asked?.query}`] } };
    await ok("POST", `/projects/${P}/tool-calls/${tool_call_id}:report`, body);
  }
}

// The answers of the models, by caller: the planner is the one that nobody delegated to.
function reply({ body }: WireRequest): WireReply {
  const { contents } = body as GoogleBody;
  const usage = { input_tokens: 1_000, output_tokens: 100, reasoning_tokens: 40 };
  const [first] = contents;
  const isFirst = contents.length === 1;
  const instruction = first?.parts[0]?.text ?? "";
  if (!instruction.includes("[Delegation Context]")) {
    const list = Object.values(tasks).map((task) => ({
      target_strategy: "new",
      target_ref: "Associate_Search",
      instruction: task,
    }));
    const fork = { name: "fork_join", arguments: { tasks: list }, signature: "c2lnbmVk" };
    if (isFirst) return { reasoning: "Two sides of one question.", text: "Asking both.", calls: [fork], usage };
    return { calls: [submit("Rail.", "Rail costs half.", "two searches")], usage };
  }
  const by = instruction.endsWith(tasks.ferry) ? "ferry" : "rail";
  const search = (query: string) => ({ name: "web_search", arguments: { query } });
  if (isFirst) return { calls: [search(`near by ${by}`), search(`far by ${by}`)], usage };
  return { calls: [submit(`By ${by}.`, `near and far by ${by}`, "")], usage };
}

const fieldsOf = (summary: string, output: string, from: string) => ({
  fields: Object.entries({ summary, output, sources: from }).map(([name, value]) => ({ name, value })),
});
const submit = (...fields: Parameters<typeof fieldsOf>) => ({
  name: "submit_result",
  arguments: { result: fieldsOf(...fields) },
});

function sentIsWhatIsKept(steps: StepRow[]): void {
  const kept = steps.map((step) => step.request_bytes.toString());
  expect(wire.requests.map((request) => request.bytes.toString()).sort()).toEqual(kept.sort());
  for (const request of wire.requests) {
    expect(request).toMatchObject({ path, headers: { "x-goog-api-key": KEY } });
    expect(request.bytes.includes(KEY)).toBe(false);
  }
  for (const step of steps) expect(step).toMatchObject({ status: "completed", sha_is_right: true, error: null });
}

const bodyOf = (step: StepRow): GoogleBody => JSON.parse(step.request_bytes.toString());
const toolsOf = (step: StepRow) => bodyOf(step).tools.flatMap((tools) => tools.functionDeclarations);

/** With the cards it was made of, and without the text of the profiles, which belongs to their authors. */
async function shown(step: StepRow): Promise<string> {
  const box = await readBoxCards(kernel, { project_id: P, box_id: step.request_box_id });
  let text = showGoogleRequest({ path, body: bodyOf(step) });
  for (const [name, source] of sources) {
    const { system_prompt_template, system_prompt, description } = parse(source);
    const prompt = (system_prompt_template ?? system_prompt).replaceAll("{{", "{").replaceAll("}}", "}").trim();
    text = text.replace(`=== system\n${prompt}\n\n`, `=== system\n(the prompt of ${name})\n\n`);
    text = text.replace(` is: "${description}"`, ` is: "(the description of ${name})"`);
  }
  return `cards: ${typesOf(box.cards).join(", ")}\n${text}`;
}

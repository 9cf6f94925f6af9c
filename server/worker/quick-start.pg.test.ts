// The README's quick start with a real model, as written: its own request bodies, its own profiles, and a server that uses
// Google's wire format in place of Google's own.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import type { GoogleBody } from "@/server/testing/google-request";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { deliverableOf, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireRequest, type WireServer } from "@/server/testing/wire/wire-server";
import type { Worker } from "./loop";
import { modelsOf } from "./models/models";

const P = "demo";
const root = path.resolve(import.meta.dirname, "../..");
const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");

let kernel: TestKernel;
let wire: WireServer;
let worker: Worker;
const { ok, send } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel();
  wire = await startWireServer({ provider: "google", replies: reply });
  const settings = parseEnv({ GEMINI_API_KEY: "AIza-0123", GOOGLE_GENERATIVE_AI_BASE_URL: wire.url });
  worker = await startTestWorker(kernel, { models: modelsOf(() => settings) });
});
afterAll(async () => {
  await worker.stop();
  await wire.close();
  await kernel.close();
});

test("the profiles register with one remaining warning, about the search that you bring yourself, and the question is split, answered and reported on", async () => {
  await ok("POST", "/projects", { project_id: P, title: "Demo" });
  const [, names = ""] = /for name in ([\w ]+); do curl .*examples\/research\/\$name\.yaml/.exec(readme) ?? [];
  expect(names.split(" ")).toHaveLength(2);
  for (const name of names.split(" ")) {
    const raw = fs.readFileSync(path.join(root, `examples/research/${name}.yaml`), "utf8");
    const saved = await send("POST", `/projects/${P}/profiles`, { raw, type: "text/yaml" });
    expect(saved.status).toBe(201);
    // The first names the second, which comes after it.
    for (const warning of saved.json.warnings) expect(warning).toMatch(/^(delegation_policy\.target_|allowed_tools: )/);
  }
  // You bring your own search: the examples work without one, and say so.
  for (const { name } of (await ok("GET", `/projects/${P}/profiles`)).items)
    expect(
      (await ok("GET", `/projects/${P}/profiles/${name}`)).warnings.filter(
        (warning: string) => !warning.startsWith("allowed_tools: web_search is not a tool"),
      ),
    ).toEqual([]);
  const [, verb = "", body = ""] = /\$API(\/pmo\/[\w:]+) -d '([^']+)'/.exec(readme) ?? [];
  const { result } = await ok("POST", `/projects/${P}${verb}`, JSON.parse(body));
  const planner = await untilTurn(kernel, P, result.agent_turn_id);
  expect(planner).toMatchObject({ status: "success", error: null });
  expect(await deliverableOf(kernel, planner)).toMatchObject({
    fields: [{ name: "summary" }, { name: "report" }, { name: "open_questions" }],
  });
  const { rows } = await kernel.db.pool.query<TurnRow>(
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2",
    [P, planner.agent_turn_id],
  );
  expect(rows.map((turn) => turn.status)).toEqual(["success", "success"]);
});

// The answers of the models, by caller: the planner is the one that nobody delegated to.
function reply({ body }: WireRequest): WireReply {
  const { contents } = body as GoogleBody;
  const isPlanner = !(contents[0]?.parts[0]?.text ?? "").includes("[Delegation Context]");
  if (!isPlanner) return submit({ summary: "About 20 EUR a tonne.", evidence: "from memory", confidence: "low" });
  if (contents.length > 1) return submit({ summary: "Rail is cheaper.", report: "# Grain", open_questions: "" });
  const tasks = ["ferries", "trains"].map((what) => ({
    target_strategy: "new",
    target_ref: "Researcher",
    instruction: `What does it cost to move a tonne of grain by ${what}?`,
  }));
  return { calls: [{ name: "fork_join", arguments: { tasks } }] };
}

const submit = (result: Record<string, string>): WireReply => ({
  calls: [
    {
      name: "submit_result",
      arguments: { result: { fields: Object.entries(result).map(([name, value]) => ({ name, value })) } },
    },
  ],
});

// A tool service that did not receive its call is sent it again, until it has answered.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { startToolService, type ToolService } from "@/server/testing/tool-service";
import { reportResult } from "../inbox/report-result";
import type { CommandRing } from "../kernel";
import { saveTool } from "../roster/save-tool";
import { callTool } from "../tools/call-tool";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { ringCommands } from "./ring-commands";

const P = "p1";
const doorbell = createMemoryDoorbell();
const { running } = callersOf(() => kernel, P);
let kernel: TestKernel;
let service: ToolService;

beforeAll(async () => {
  service = await startToolService((_asked, response) => void response.writeHead(202).end());
  const outbound = { origins: [service.origin], secret: () => undefined };
  kernel = await openTestKernel({ doorbell, outbound });
  await seedProject(kernel, P, [{ name: "Boss", allowed_tools: ["word_count", "silent", "behind_url"] }]);
  const tool = { tool_name: "word_count", target_subject: "cmd.tool.word_count" };
  await saveTool(kernel, { project_id: P, tool });
  await saveTool(kernel, { project_id: P, tool: { tool_name: "silent" } });
  const target_subject = `${service.origin}/x`;
  await saveTool(kernel, { project_id: P, tool: { tool_name: "behind_url", target_subject } });
});
afterAll(async () => {
  await kernel.close();
  await service.stop();
});

const commands = (): CommandRing[] =>
  doorbell.rung.splice(0).flatMap((ring) => (ring.kind === "command" ? [ring] : []));

/** As if the call had been made and rung that long ago. */
async function age(madeSeconds: number, rungSeconds: number): Promise<void> {
  await kernel.test.pool.query(
    "UPDATE state.turn_waiting_tools SET created_at = now() - $1 * interval '1 s', updated_at = now() - $2 * interval '1 s'",
    [madeSeconds, rungSeconds],
  );
}

async function called(tool_name: string): Promise<string> {
  const { turn: _turn, ...boss } = await running("Boss");
  const step = await beginStep(kernel, {
    ...boss,
    request: { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 },
  });
  if (isFenced(step)) throw new Error("the caller was fenced");
  const call = { tool_name, arguments: { text: "a b" }, step_id: step.step_id, client_call_id: tool_name };
  const answer = await callTool(kernel, { ...boss, ...call });
  if (isFenced(answer)) throw new Error("the caller was fenced");
  expect(answer.mode).toBe("suspend");
  return answer.tool_call_id;
}

test("a call without an answer is sent again, at growing intervals, until it is answered", async () => {
  const tool_call_id = await called("word_count");
  const [first] = commands();
  expect(first).toMatchObject({ tool_call_id, target_subject: "cmd.tool.word_count", step_id: expect.any(String) });
  expect(await ringCommands(kernel)).toBe(0);
  await age(6, 6);
  expect((await Promise.all([ringCommands(kernel), ringCommands(kernel)])).toSorted()).toEqual([0, 1]);
  expect(commands()).toEqual([first]);
  await age(26, 12);
  expect(await ringCommands(kernel)).toBe(0);
  await age(26, 14);
  expect(await ringCommands(kernel)).toBe(1);
  await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: { count: 2 } });
  await age(99, 99);
  expect(await ringCommands(kernel)).toBe(0);
});

test("a tool without a subject is polled over REST only: nothing is sent", async () => {
  doorbell.rung.length = 0;
  await called("silent");
  await age(9, 9);
  expect(await ringCommands(kernel)).toBe(0);
  expect(commands()).toEqual([]);
});

test("a service behind a URL that answered 202 is not asked again, and nothing is sent on a bus", async () => {
  await called("behind_url");
  await age(9, 9);
  expect(await ringCommands(kernel)).toBe(0);
  expect(commands()).toEqual([]);
  expect(service.asked).toHaveLength(1);
});

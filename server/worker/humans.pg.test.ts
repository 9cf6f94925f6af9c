// People in the loop of a turn that the built-in worker runs: it asks, is suspended, and continues with the answer; a call
// that needs approval is carried out after it, once, with what was approved.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Decision } from "@/server/contract/asking";
import { KernelError } from "@/server/contract/errors";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import type { HumanRequestRow } from "@/server/kernel/inbox/human-request-row";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { createKernel } from "@/server/kernel/kernel";
import { takeOver } from "@/server/kernel/reclaim/take-over";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { codesIn, resultsIn, sent, stepsOf, typesOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

let kernel: TestKernel;
let P = "p0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
});
afterAll(() => kernel.close());
beforeEach(() => {
  P = `p${++n}`;
});

const requests = async (turn: Pick<TurnRow, "agent_turn_id">): Promise<HumanRequestRow[]> =>
  (
    await kernel.db.pool.query<HumanRequestRow>(
      "SELECT * FROM state.human_requests WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY created_at, request_id",
      [P, turn.agent_turn_id],
    )
  ).rows;
const decide = ({ request_id }: HumanRequestRow, decision: Decision) =>
  decideRequest(kernel, { project_id: P, request_id, by: "ann", decision });

async function launched(script: Parameters<typeof scripted>[1], more: Record<string, unknown> = {}) {
  await seedProject(kernel, P, [scripted("Solo", script, more), scripted("Child", [{ deliver: "did {instruction}" }])]);
  return launchTurn(kernel, P, { target: "Solo" });
}

const asleep = (agent_turn_id: string) => untilTurn(kernel, P, agent_turn_id, "suspended");

test("it asks, the worker stops, another one continues with the answer", async () => {
  const first = await startTestWorker(kernel);
  const { agent_turn_id } = await launched(
    [
      { call: "ask_human", arguments: { question: "Left?", choices: ["left", "right"] } },
      { deliver: "went {result.1.answer}" },
    ],
    { allowed_tools: ["ask_human"] },
  );
  const turn = await asleep(agent_turn_id);
  expect(turn).toMatchObject({ note: "waits for a person", lease_holder: null });
  await first.stop();
  const [request] = (await requests(turn)) as [HumanRequestRow];
  await decide(request, { action: "answer", answer: "right" });
  const second = await startTestWorker(kernel, { worker_id: "w2" });
  const ended = await untilTurn(kernel, P, agent_turn_id);
  await second.stop();
  expect(ended).toMatchObject({ status: "success", turn_epoch: turn.turn_epoch + 1 });
  expect(await deliverableOf(kernel, ended)).toBe("went right");
});

test("an edited approval: the child gets the edited instruction, the model's own call and its usage are counted once", async () => {
  const worker = await startTestWorker(kernel);
  const { agent_turn_id } = await launched(
    [
      {
        calls: [
          {
            call: "delegate_async",
            arguments: { target_strategy: "new", target_ref: "Child", instruction: "burn it" },
          },
          { call: "think", arguments: { thought: "hm" } },
        ],
      },
      { deliver: "sent to {result.1.agent_turn_id}" },
    ],
    { allowed_tools: ["delegate_async"], requires_approval: ["delegate_async"] },
  );
  const turn = await asleep(agent_turn_id);
  const [request] = (await requests(turn)) as [HumanRequestRow];
  expect(request).toMatchObject({ kind: "approval", tool_name: "delegate_async", status: "open" });
  const before = turn.tokens_out;
  await decide(request, {
    action: "approve",
    arguments: { target_strategy: "new", target_ref: "Child", instruction: "keep it" },
  });
  const ended = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  const cards = await outputOf(kernel, ended);
  expect(typesOf(cards)).toEqual([
    "agent.thought",
    "tool.call",
    "tool.call",
    "tool.result",
    "meta.approved_call",
    "tool.result",
    "task.deliverable",
  ]);
  expect(cards[1]?.content).toMatchObject({ arguments: { instruction: "burn it" } });
  expect(cards[4]).toMatchObject({
    content: { arguments: { instruction: "keep it" } },
    metadata: { decided_by: "ann", is_edited: true },
  });
  const { rows } = await kernel.db.pool.query<{ title: string }>(
    "SELECT title FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2",
    [P, agent_turn_id],
  );
  expect(rows).toEqual([{ title: "keep it" }]);
  // The second step produced nothing that was not already counted for the first.
  const [one, two] = await stepsOf(kernel, ended);
  expect(before).toBeGreaterThan(0);
  const usage = await kernel.db.pool.query<{ out: number }>(
    "SELECT sum((usage ->> 'output_tokens')::int)::int AS out FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2",
    [P, agent_turn_id],
  );
  expect(ended.tokens_out).toBe(usage.rows[0]?.out);
  expect(one?.status).toBe("completed");
  // A person's decision is not a message of the conversation; the result is, and says that it belongs to another call.
  expect(sent(two).messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool"]);
  expect(sent(two).messages.at(-1)?.text).toMatch(
    /^\[ann approved this call with other arguments: .*"keep it".*\]\n\n.*accepted/s,
  );
});

test("if denied, the turn continues and knows why; an approved result ends the turn with what was approved", async () => {
  const worker = await startTestWorker(kernel);
  const fields = (value: string) => ({ result: { fields: [{ name: "answer", value }] } });
  const { agent_turn_id } = await launched(
    [
      { call: "submit_result", arguments: fields("first") },
      { call: "submit_result", arguments: fields("second") },
    ],
    { allowed_tools: ["submit_result"], requires_approval: ["submit_result"] },
  );
  await asleep(agent_turn_id);
  const [first] = (await requests({ agent_turn_id })) as [HumanRequestRow];
  await decide(first, { action: "deny", reason: "not yet" });
  await expect.poll(async () => (await requests({ agent_turn_id })).length, { timeout: 10_000 }).toBe(2);
  const [, second] = (await requests({ agent_turn_id })) as [HumanRequestRow, HumanRequestRow];
  await asleep(agent_turn_id);
  await decide(second, { action: "approve", arguments: fields("edited") });
  const ended = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  expect(ended.status).toBe("success");
  expect(codesIn(await outputOf(kernel, ended))).toEqual(["denied_by_human", "success"]);
  expect(await deliverableOf(kernel, ended)).toMatchObject({ fields: [{ name: "answer", value: "edited" }] });
});

test("several at once: two approvals, a question and a tool; the turn continues when all are answered", async () => {
  const worker = await startTestWorker(kernel);
  const { agent_turn_id } = await launched(
    [
      {
        calls: [
          { call: "weigh", arguments: { kilos: 1 } },
          { call: "ask_human", arguments: { question: "Sure?" } },
          { call: "weigh", arguments: { kilos: 2 } },
          { call: "plain" },
        ],
      },
      { deliver: "{result.1} {result.2.answer} {result.3.error_code} {result.4}" },
    ],
    { allowed_tools: ["ask_human", "weigh", "plain"] },
  );
  await saveTool(kernel, { project_id: P, tool: { tool_name: "weigh", options: { requires_approval: true } } });
  await saveTool(kernel, { project_id: P, tool: { tool_name: "plain" } });
  await asleep(agent_turn_id);
  const [one, question, two] = (await requests({ agent_turn_id })) as [
    HumanRequestRow,
    HumanRequestRow,
    HumanRequestRow,
  ];
  await decide(two, { action: "deny", reason: "no" });
  await decide(question, { action: "answer", answer: "yes" });
  const calls = (await outputOf(kernel, await asleep(agent_turn_id))).filter((card) => card.type === "tool.call");
  await reportResult(kernel, {
    project_id: P,
    tool_call_id: calls[3]?.tool_call_id ?? "",
    status: "success",
    result: "ok",
  });
  await decide(one, { action: "approve" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.note === "waits for weigh");
  await reportResult(kernel, { project_id: P, tool_call_id: one.tool_call_id, status: "success", result: "1 kg" });
  const ended = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  expect(await deliverableOf(kernel, ended)).toBe("1 kg yes denied_by_human ok");
  expect(resultsIn(await outputOf(kernel, ended))).toHaveLength(4);
});

test("a worker lost between the approval and the call is replaced, and the call is made once", async () => {
  // Whatever this worker does once the delegation has been made is lost, and so is the delegation's answer.
  let isDead = false;
  const dying = createKernel({
    ...kernel,
    probe: (point, statements) => {
      if (point === "after-commit" && statements.includes("delegate_replay")) isDead = true;
      if (isDead) throw new KernelError("storage_error", "the worker died");
    },
  });
  const first = await startTestWorker(dying, { worker_id: "dying", graceMs: 0 });
  const { agent_turn_id } = await launched(
    [
      { call: "delegate_async", arguments: { target_strategy: "new", target_ref: "Child", instruction: "go" } },
      { deliver: "sent" },
    ],
    { allowed_tools: ["delegate_async"], requires_approval: ["delegate_async"] },
  );
  await asleep(agent_turn_id);
  const [request] = (await requests({ agent_turn_id })) as [HumanRequestRow];
  await decide(request, { action: "approve" });
  const childCount = async () =>
    (
      await kernel.db.pool.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2",
        [P, agent_turn_id],
      )
    ).rows[0]?.n;
  await expect.poll(childCount, { timeout: 10_000 }).toBe(1);
  await first.stop();
  const hasty = createKernel({ ...kernel, tunables: { ...kernel.tunables, leaseMs: 200 } });
  // The dead worker had begun the child as well.
  await untilTurn(kernel, P, agent_turn_id, async (turn) => {
    await takeOver(hasty);
    return turn.status !== "running";
  });
  const second = await startTestWorker(kernel, { worker_id: "w2" });
  const ended = await untilTurn(kernel, P, agent_turn_id);
  await second.stop();
  expect(ended.status).toBe("success");
  expect(await childCount()).toBe(1);
  expect(codesIn(await outputOf(kernel, ended))).toEqual(["success"]);
});

test("at the end no invariant is violated", async () => {
  const { violations } = await checkInvariants(kernel.db.pool, { when: "always" });
  expect(violations).toEqual([]);
});

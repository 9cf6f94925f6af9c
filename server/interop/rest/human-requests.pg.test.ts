// People in the loop, for programs: a worker in another language asks and continues, and a program decides.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { foreignWorker } from "@/server/testing/foreign-worker";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p2");
});
afterAll(() => kernel.close());

const { act, at, claim, ok, own, refused, settle, started, step } = foreignWorker(() => kernel);
beforeEach(async () => {
  await settle();
  const profile = parseProfile({
    name: "Asker",
    worker_target: own.target,
    allowed_tools: ["ask_human", "web_search"],
    requires_approval: ["web_search"],
  });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id: own.project, author_id: "test", profile }));
});

/** A turn of Asker, suspended in the call. */
async function asked(tool_name: string, args: object) {
  const turn = await started("Asker");
  const call = { step_id: await step(turn), client_call_id: "c", tool_name, arguments: args };
  const made = await act(turn, "call", call);
  expect(made).toMatchObject({ mode: "suspend" });
  expect(await act(turn, "suspend", { tool_call_ids: [made.tool_call_id] })).toMatchObject({
    status: "suspended",
    waiting: [made.tool_call_id],
  });
  const { items } = await ok("GET", at("/human-requests?status=open"));
  return { turn, call, tool_call_id: made.tool_call_id, request: items[0], items };
}

async function resumed(turn: Awaited<ReturnType<typeof started>>) {
  const [{ inbox }] = await claim();
  return act(turn, "resume", { inbox_id: inbox.inbox_id, worker_id: "py-1" });
}

test("a worker asks over :call, the answer is the call's result", async () => {
  const { turn, tool_call_id, request, items } = await asked("ask_human", { question: "Go?", choices: ["yes", "no"] });
  expect(items).toHaveLength(1);
  expect(request).toMatchObject({
    kind: "question",
    status: "open",
    agent_turn_id: turn.id,
    tool_call_id,
    question: { question: "Go?" },
    choices: ["yes", "no"],
    turn: { agent_turn_id: turn.id, status: "suspended", profile_name: "Asker" },
  });
  expect(request.chain.map((link: { is_human: boolean }) => link.is_human)).toEqual([true, false]);
  const path = at(`/human-requests/${request.request_id}`);
  expect(await ok("GET", path)).toEqual(request);
  expect(await refused("POST", `${path}:answer`, { body: {} })).toMatchObject({ status: 422 });
  expect(await refused("POST", `${path}:answer`, { body: { answer: " " } })).toMatchObject({ status: 422 });
  expect(await refused("POST", `${path}:approve`, { body: {} })).toMatchObject({ status: 400 });
  expect(await ok("POST", `${path}:answer`, { answer: "yes", user: "ann" })).toMatchObject({
    status: "answered",
    answer: "yes",
    decided_by: "ann",
  });
  expect(await refused("POST", `${path}:answer`, { body: { answer: "no", user: "bob" } })).toMatchObject({
    status: 409,
    error_code: "conflict",
    detail: { request: { decided_by: "ann", answer: "yes" } },
  });
  const went = await resumed(turn);
  expect(went).toMatchObject({ status: "running", results: [{ tool_call_id, card: { type: "tool.result" } }] });
  expect(went.results[0].card.content.result).toMatchObject({ answer: "yes", answered_by: "ann" });
  expect((await ok("GET", at("/human-requests?status=open"))).items).toEqual([]);
  expect((await ok("GET", at(`/human-requests?agent_turn_id=${turn.id}`))).items).toMatchObject([
    { status: "answered" },
  ]);
});

test("an approved call is made again with its client_call_id, and is carried out then", async () => {
  const { turn, call, tool_call_id, request } = await asked("web_search", { q: "tea" });
  expect(request).toMatchObject({ kind: "approval", tool_name: "web_search", arguments: { q: "tea" } });
  const path = at(`/human-requests/${request.request_id}`);
  await ok("POST", `${path}:approve`, { arguments: { q: "coffee" }, reason: "stronger" });
  const went = await resumed(turn);
  expect(went.results).toMatchObject([{ tool_call_id, card: { type: "meta.approved_call" } }]);
  const again = { ...turn, epoch: went.epoch };
  expect(await act(again, "call", call)).toMatchObject({ tool_call_id, mode: "suspend", deadline: expect.any(String) });
  await act(again, "suspend", { tool_call_ids: [tool_call_id] });
  await ok("POST", at(`/tool-calls/${tool_call_id}:report`), { status: "success", result: "found" });
  expect(await resumed(again)).toMatchObject({ status: "running", results: [{ tool_call_id }] });
});

test("denied it is the call's failed result", async () => {
  const { turn, call, tool_call_id, request } = await asked("web_search", { q: "tea" });
  const path = at(`/human-requests/${request.request_id}`);
  expect(await refused("POST", `${path}:deny`, { body: {} })).toMatchObject({ status: 422 });
  await ok("POST", `${path}:deny`, { reason: "too dear" });
  const went = await resumed(turn);
  expect(went.results).toMatchObject([{ tool_call_id, card: { content: { error: { code: "denied_by_human" } } } }]);
  expect(await act({ ...turn, epoch: went.epoch }, "call", call)).toMatchObject({ mode: "inline", status: "failed" });
});

test("an unknown request and one of another project are missing alike; lists are paged", async () => {
  const first = await asked("ask_human", { question: "One?" });
  const second = await asked("ask_human", { question: "Two?" });
  expect(second.items.map((one: { question: { question: string } }) => one.question.question)).toEqual([
    "One?",
    "Two?",
  ]);
  for (const path of ["/human-requests/hr_none", `/human-requests/${first.request.request_id}`])
    expect(await refused("GET", `/projects/p2${path}`)).toMatchObject({ status: 404 });
  const one = await ok("GET", at("/human-requests?status=open&limit=1"));
  expect(one).toMatchObject({ open_count: 2, next_cursor: expect.any(String) });
  const two = await ok("GET", at(`/human-requests?status=open&limit=1&cursor=${one.next_cursor}`));
  expect(two.items).toMatchObject([{ question: { question: "Two?" } }]);
  expect(two).not.toHaveProperty("next_cursor");
  const newest = await ok("GET", at("/human-requests?limit=1"));
  expect(newest.items).toMatchObject([{ question: { question: "Two?" } }]);
});

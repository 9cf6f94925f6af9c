// Batches and the inbox over REST: a person's fork, from the launch to its line in the list.
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/server/env";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { serveRest } from "./serve";

let kernel: TestKernel;
const HOST = `127.0.0.1:${env().PORT}`;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Searcher" }]);
  await seedProject(kernel, "p2", [{ name: "Searcher" }]);
});
afterAll(() => kernel.close());

async function send(method: string, path: string, body?: unknown) {
  const request = new Request(`http://${HOST}/api/v1${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { host: HOST, "content-type": "application/json" },
  });
  const response = await serveRest(kernel, request, new URL(request.url).pathname.replace("/api/v1", ""));
  return { status: response.status, json: await response.json() };
}
const get = (path: string) => send("GET", path);

test("a batch is listed, read with its tasks, and its turns wait in the inbox with a reason", async () => {
  const task = (instruction: string) => ({ target_strategy: "new", target_ref: "Searcher", instruction });
  const { json: launched } = await send("POST", "/projects/p1/pmo/fork_join:call", {
    args: { tasks: [task("first"), task("second"), task("third")], max_parallel: 2, deadline_seconds: 600 },
  });
  const { batch_id } = launched.result;
  const { json: list } = await get(`/projects/p1/batches?agent_turn_id=${launched.agent_turn_id}`);
  expect(list).not.toHaveProperty("live_cursor");
  expect(list.items).toMatchObject([
    { batch_id, number: 1, status: "running", max_parallel: 2, lanes: ["dispatched", "dispatched", "pending"] },
  ]);
  const { json: batch } = await get(`/projects/p1/batches/${batch_id}`);
  expect(batch.tasks.map((t: { title: string; status: string }) => [t.title, t.status])).toEqual([
    ["first", "dispatched"],
    ["second", "dispatched"],
    ["third", "pending"],
  ]);
  expect(Date.parse(batch.deadline_at) - Date.parse(batch.created_at)).toBe(600_000);
  const { json: inbox } = await get("/projects/p1/inbox?status=pending&message_type=turn");
  expect(inbox.items).toHaveLength(2);
  expect(inbox.items[0]).toMatchObject({
    status: "pending",
    turn: { title: "first" },
    age_ms: expect.any(Number),
    reason: expect.stringContaining("own worker of"),
  });
  const { json: one } = await get(`/projects/p1/inbox?agent_id=${batch.tasks[1].agent_id}`);
  expect(one.items.map((row: { agent_turn_id: string }) => row.agent_turn_id)).toEqual([batch.tasks[1].agent_turn_id]);
  expect((await get("/projects/p2/batches")).json).toEqual({ items: [] });
  expect((await get("/projects/p2/inbox")).json).toEqual({ items: [] });
  expect((await get(`/projects/p2/batches/${batch_id}`)).status).toBe(404);
});

test("a task that was stopped is tried again while its batch runs, and only such a one", async () => {
  const task = (instruction: string) => ({ target_strategy: "new", target_ref: "Searcher", instruction });
  const { json: launched } = await send("POST", "/projects/p1/pmo/fork_join:call", {
    args: { tasks: [task("stopped"), task("left alone")] },
  });
  const batch = `/projects/p1/batches/${launched.result.batch_id}`;
  const stopped = (await get(batch)).json.tasks[0].agent_turn_id;
  await send("POST", `/projects/p1/turns/${stopped}:stop`, {});
  const { status, json } = await send("POST", `${batch}/tasks/0:retry`, { user: "ann" });
  expect([status, json.status]).toEqual([200, "running"]);
  expect(json.tasks[0]).toMatchObject({
    status: "dispatched",
    attempt_count: 2,
    earlier: [{ agent_turn_id: stopped, status: "canceled", retried_by: "human_ann" }],
  });
  const refused = await send("POST", `${batch}/tasks/1:retry`, {});
  expect(refused).toMatchObject({ status: 409, json: { detail: { error_code: "conflict" } } });
  for (const index of ["2", "one", "-1"])
    expect((await send("POST", `${batch}/tasks/${index}:retry`, {})).status).toBe(404);
  expect((await send("POST", `${batch.replace("p1", "p2")}/tasks/0:retry`, {})).status).toBe(404);
  expect((await send("POST", `${batch}/tasks/0:retry`, { colour: "red" })).status).toBe(422);
});

test.each([
  ["an unknown project", "/projects/nope/batches", 404],
  ["an unknown batch", "/projects/p1/batches/nope", 404],
  ["an unknown project's inbox", "/projects/nope/inbox", 404],
  ["a status that is none", "/projects/p1/batches?status=lost", 400],
  ["a status that no row has", "/projects/p1/inbox?status=lost", 400],
  ["an unknown query key", "/projects/p1/inbox?colour=red", 400],
  ["a bad cursor of batches", "/projects/p1/batches?cursor=zzz", 400],
  ["a bad cursor of the inbox", "/projects/p1/inbox?cursor=zzz", 400],
])("%s is %s: %i", async (_what, path, status) => {
  const answer = await get(path);
  expect([answer.status, typeof answer.json.detail.error_message]).toEqual([status, "string"]);
});

test("both are in the OpenAPI document with their filters", async () => {
  const { json: doc } = await get("/openapi.json");
  const names = (path: string) => doc.paths[path].get.parameters.map((p: { name: string }) => p.name);
  expect(names("/projects/{project_id}/batches")).toEqual(
    expect.arrayContaining(["root_turn_id", "agent_turn_id", "status", "limit", "cursor"]),
  );
  expect(names("/projects/{project_id}/inbox")).toEqual(expect.arrayContaining(["agent_id", "status", "message_type"]));
});

test("a launch into a run is a person's turn in it; another project's run is not found", async () => {
  const args = { target_strategy: "new", target_ref: "Searcher", instruction: "look" };
  const call = "/projects/p1/pmo/delegate_async:call";
  const { json: first } = await send("POST", call, { args });
  const joined = { args, into: first.root_turn_id, action_id: "join_1", user: "bob" };
  const { status, json: second } = await send("POST", call, joined);
  expect([status, second.root_turn_id]).toEqual([200, first.root_turn_id]);
  expect((await send("POST", call, joined)).json).toMatchObject({
    agent_turn_id: second.agent_turn_id,
    root_turn_id: first.root_turn_id,
    is_replay: true,
  });
  const { json: turn } = await get(`/projects/p1/turns/${second.agent_turn_id}`);
  expect(turn).toMatchObject({ headcode: "0H02", depth: 0, parent_turn_id: first.root_turn_id, agent_id: "human_bob" });
  const foreign = await send("POST", "/projects/p2/pmo/delegate_async:call", { args, into: first.root_turn_id });
  expect([foreign.status, foreign.json.detail.error_code]).toEqual([404, "not_found"]);
});

test("limits of a run are set with its launch, and raised or lifted while it runs", async () => {
  const task = { target_strategy: "new", target_ref: "Searcher", instruction: "look" };
  const { json: launched } = await send("POST", "/projects/p1/pmo/fork_join:call", {
    args: { tasks: [task, task, task] },
    limits: { turns_max: 1 },
  });
  const path = `/projects/p1/runs/${launched.root_turn_id}/limits`;
  expect((await send("PATCH", path, {})).json).toEqual({
    root_turn_id: launched.root_turn_id,
    limits: { turns_max: 1 },
    held: { limit: "turns_max", max: 1, used: 1, waiting: 2 },
  });
  expect((await send("PATCH", path, { turns_max: 2, cost_max: 5 })).json).toMatchObject({
    limits: { turns_max: 2, cost_max: 5 },
    held: { used: 2, waiting: 1 },
  });
  expect((await send("PATCH", path, { turns_max: null, cost_max: null })).json).toEqual({
    root_turn_id: launched.root_turn_id,
    limits: {},
  });
  expect((await send("PATCH", path.replace("p1", "p2"), {})).status).toBe(404);
  for (const bad of [{ turns_max: 0 }, { tokens_max: 1.5 }, { cost_max: -1 }, { steps_max: 1 }])
    expect((await send("PATCH", path, bad)).status).toBe(422);
});

// What programs read from a project's state, and the recipes they save in it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Boss" }, { name: "Plain" }]);
  await seedProject(kernel, "p2", [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

const { running, accepted, deliver } = callersOf(() => kernel, "p1");
const { get, post, ok, refused } = restOf(() => kernel);

/** Every page of a list, two rows at a time. */
async function all(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  const sign = path.includes("?") ? "&" : "?";
  for (let cursor = ""; ; ) {
    const page = await ok("GET", `${path}${sign}limit=2${cursor}`);
    expect(page.items.length).toBeLessThanOrEqual(2);
    rows.push(...page.items);
    if (page.next_cursor === undefined) return rows;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

describe("state", () => {
  test("heads, edges of both kinds and steps, page by page and by filter", async () => {
    const boss = await running("Boss");
    const child = await accepted(boss, toNew("Plain"));
    const other = await running("Plain");
    await deliver(other, "done");
    const heads = await all("/projects/p1/state/agents");
    expect(heads).toHaveLength(4);
    expect(new Set(heads.map((head) => head.agent_id)).size).toBe(4);
    const [head] = await all(`/projects/p1/state/agents?agent_turn_id=${boss.agent_turn_id}`);
    expect(head).toMatchObject({ agent_id: boss.agent_id, status: "running", turn_epoch: 1, lease_holder: "w" });
    expect(await all("/projects/p1/state/agents?status=dispatched")).toMatchObject([{ agent_id: child.agent_id }]);
    // An idle agent's boxes are those of its last turn.
    const [idle] = await all(`/projects/p1/state/agents?agent_id=${other.agent_id}`);
    expect(idle).toMatchObject({ status: "idle", output_box_id: other.turn.output_box_id });
    expect(idle).not.toHaveProperty("active_agent_turn_id");

    const edges = await all("/projects/p1/state/execution/edges?primitive=enqueue&edge_phase=request");
    expect(edges.map((edge) => edge.target_turn_id)).toEqual(
      expect.arrayContaining([boss.agent_turn_id, child.agent_turn_id, other.agent_turn_id]),
    );
    expect(edges).toHaveLength(3);
    expect(await all(`/projects/p1/state/execution/edges?agent_turn_id=${child.agent_turn_id}`)).toMatchObject([
      { source_turn_id: boss.agent_turn_id, correlation_id: child.agent_turn_id, recursion_depth: 2 },
    ]);
    expect(await all(`/projects/p1/state/execution/edges?agent_id=${boss.agent_id}`)).toHaveLength(2);
    expect(await all(`/projects/p1/state/execution/edges?correlation_id=${other.agent_turn_id}`)).toHaveLength(2);

    const made = await all(`/projects/p1/state/identity/edges?agent_id=${child.agent_id}`);
    expect(made).toMatchObject([{ action: "provision", source_agent_id: boss.agent_id }]);
    expect(await all("/projects/p1/state/identity/edges")).toHaveLength(4);
    expect(await all("/projects/p1/state/identity/edges?action=derive")).toEqual([]);
  });
  test.each(["agents", "steps", "execution/edges", "identity/edges"])(
    "%s: bad input and foreign projects",
    async (what) => {
      const path = `/projects/p1/state/${what}`;
      expect(await refused("GET", `${path}?colour=red`)).toMatchObject({ status: 400, error_code: "bad_request" });
      expect(await refused("GET", `${path}?limit=501`)).toMatchObject({ status: 400 });
      expect(await refused("GET", `${path}?cursor=zzz`)).toMatchObject({ status: 400 });
      expect(await refused("GET", `/projects/nope/state/${what}`)).toMatchObject({ status: 404 });
      expect((await get(`/projects/p2/state/${what}`)).json).toEqual({ items: [] });
    },
  );
  test("a cursor of another project is refused", async () => {
    const page = await ok("GET", "/projects/p1/state/agents?limit=1");
    expect(await refused("GET", `/projects/p2/state/agents?cursor=${page.next_cursor}`)).toMatchObject({
      status: 400,
      error_message: expect.stringContaining("another project"),
    });
  });
  test.each(["status=nope", "started_after=yesterday"])("steps: %s is 400", async (query) => {
    expect((await refused("GET", `/projects/p1/state/steps?${query}`)).status).toBe(400);
  });
});

describe("recipes", () => {
  const handover = {
    context_packing_config: {
      pack_arguments: [{ arg_key: "instruction" }],
      inherit_context: { include_boxes_from_args: ["input_box_ids"], exclude_types: ["agent.thought"] },
      order: "inherited_first",
    },
  };
  test("kept in versions, listed by name, deleted", async () => {
    const first = await post("/projects/p1/recipes", { name: "No thoughts", handover });
    expect(first).toMatchObject({ status: 201, json: { name: "No thoughts", project_id: "p1" } });
    await ok("POST", "/projects/p1/recipes", { name: "A", handover: {} });
    const again = await ok("POST", "/projects/p1/recipes", { name: " No thoughts ", handover: {}, user: "ann" });
    expect(again).toMatchObject({ version: 2, created_by: "ann" });
    expect(again.handover.context_packing_config.order).toBe("arguments_first");
    expect((await ok("GET", "/projects/p1/recipes")).items.map((r: { name: string }) => r.name)).toEqual([
      "A",
      "No thoughts",
    ]);
    expect((await ok("GET", "/projects/p1/recipes/No%20thoughts")).handover).toEqual(again.handover);
    expect(await refused("GET", "/projects/p2/recipes/No%20thoughts")).toMatchObject({ status: 404 });
    expect(await refused("DELETE", "/projects/p2/recipes/No%20thoughts")).toMatchObject({ status: 404 });
    // Nothing is replaced: an older version is what it was, and the same again makes none.
    expect(await ok("GET", "/projects/p1/recipes/No%20thoughts?version=1")).toEqual(first.json);
    const versions = async () =>
      (await ok("GET", "/projects/p1/recipes/No%20thoughts/versions")).items.map((r: { version: number }) => r.version);
    expect(await versions()).toEqual([2, 1]);
    const same = await post("/projects/p1/recipes", { name: "No thoughts", handover: { context_packing_config: {} } });
    expect(same).toMatchObject({ status: 200, json: { version: 2, created_by: "ann" } });
    expect(await versions()).toEqual([2, 1]);
    expect(await refused("GET", "/projects/p1/recipes/No%20thoughts?version=3")).toMatchObject({
      status: 404,
      error_message: "version: recipe No thoughts has no version 3; the newest is 2",
    });
    expect(await refused("GET", "/projects/p1/recipes/No%20thoughts?version=0")).toMatchObject({ status: 400 });
    expect(await refused("GET", "/projects/p2/recipes/No%20thoughts/versions")).toMatchObject({ status: 404 });
    await ok("DELETE", "/projects/p1/recipes/No%20thoughts");
    expect(await refused("DELETE", "/projects/p1/recipes/No%20thoughts")).toMatchObject({ status: 404 });
    expect(await refused("GET", "/projects/p1/recipes/No%20thoughts/versions")).toMatchObject({ status: 404 });
    // A number is given once: receipts may name it.
    const back = await post("/projects/p1/recipes", { name: "No thoughts", handover });
    expect(back).toMatchObject({ status: 201, json: { version: 3 } });
  });
  test.each([
    ["no name", { handover }, 422, "body.name"],
    ["an empty name", { name: " ", handover }, 422, "body.name"],
    ["no hand-over", { name: "X" }, 422, "body.handover"],
    ["an unknown key", { name: "X", handover, colour: "red" }, 422, "body.colour"],
    [
      "a rule that is no object",
      { name: "X", handover: { context_packing_config: { pack_arguments: ["instruction"] } } },
      422,
      "body.handover.context_packing_config.pack_arguments.0",
    ],
    ["the built-in recipe's name", { name: "Instruction", handover }, 400, undefined],
    ["a name that reads like a version", { name: "X@2", handover }, 422, "body.name"],
    ["half a surrogate pair", { name: "X\ud800", handover }, 400, undefined],
  ])("%s is refused", async (_what, body, status, path) => {
    const answer = await refused("POST", "/projects/p1/recipes", { body });
    expect([answer.status, answer.detail?.path]).toEqual([status, path]);
  });
  test("an unknown project is 404, and an Idempotency-Key keeps once", async () => {
    expect(await refused("POST", "/projects/nope/recipes", { body: { name: "X", handover } })).toMatchObject({
      status: 404,
    });
    const key = { "idempotency-key": "recipe-1" };
    const first = await post("/projects/p1/recipes", { name: "Once", handover }, key);
    await ok("DELETE", "/projects/p1/recipes/Once");
    expect(await post("/projects/p1/recipes", { name: "Once", handover }, key)).toEqual(first);
    expect(await refused("GET", "/projects/p1/recipes/Once")).toMatchObject({ status: 404 });
  });
});

// A person launches into a run that is there: their turn stands below its root, and nothing else of the run changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { checkInvariants } from "@/server/testing/invariants";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { readCallerFacts } from "../provenance/read-facts";
import { readSnapshot } from "../read-models/read-snapshot";
import { readTurnDetail } from "../read-models/read-turn-detail";
import { stopTurn } from "../reclaim/stop-turn";
import { withUnit } from "../unit";
import { launch } from "./launch";
import { previewLaunch } from "./preview-launch";

let kernel: TestKernel;
const P = "into";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  await seedProject(kernel, "elsewhere", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const { deliver, run } = callersOf(() => kernel, P);
const { start, end, rows } = forksOf(() => kernel, P);
const launched = (more: object = {}) =>
  launch(kernel, { project_id: P, tool: "delegate_async", user: "ann", args: toNew("Plain"), ...more });
const runs = () => rows<{ number: number }>("SELECT number FROM state.runs WHERE project_id = $1 ORDER BY number", []);
const codes = async (root: string) =>
  (
    await rows<{ headcode: string }>(
      "SELECT headcode FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 ORDER BY created_at, depth",
      [root],
    )
  ).map((row) => row.headcode);
const childOf = (answer: Awaited<ReturnType<typeof launched>>) => {
  if (!("agent_turn_id" in answer.result) || answer.result.agent_turn_id === undefined)
    throw new Error("a turn was launched");
  return { agent_id: answer.result.agent_id, agent_turn_id: answer.result.agent_turn_id };
};

describe("a launch into a run", () => {
  test("is a turn of the person below its root, at depth 0; no run is made, and the codes go on", async () => {
    const first = await launched({ args: toNew("Plain", { instruction: "begin" }) });
    const before = { runs: await runs(), source: await turnOf(kernel, P, childOf(first).agent_turn_id) };
    const second = await launched({ into: first.root_turn_id, user: "bob" });
    expect(second.root_turn_id).toBe(first.root_turn_id);
    expect(await turnOf(kernel, P, second.agent_turn_id)).toMatchObject({
      root_turn_id: first.root_turn_id,
      parent_turn_id: first.root_turn_id,
      depth: 0,
      primitive: "ui_action",
      agent_id: "human_bob",
      status: "success",
    });
    expect(await turnOf(kernel, P, childOf(second).agent_turn_id)).toMatchObject({
      root_turn_id: first.root_turn_id,
      parent_turn_id: second.agent_turn_id,
      depth: 1,
    });
    expect({ runs: await runs(), source: await turnOf(kernel, P, childOf(first).agent_turn_id) }).toEqual(before);
    await launched({ into: first.root_turn_id });
    expect(await codes(first.root_turn_id)).toEqual(["0H01", "1P01", "0H02", "1P02", "0H03", "1P03"]);
    const next = await launched();
    const numbers = (await runs()).map((row) => row.number);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect(next.root_turn_id).toBe(next.agent_turn_id);
  });

  test("works on a run that has ended, and in the run's snapshot both begin", async () => {
    const first = await launched();
    const child = childOf(first);
    await deliver(await run(child.agent_id, child.agent_turn_id, 1), "done");
    const second = await launched({
      into: first.root_turn_id,
      tool: "fork_join",
      args: { tasks: [toNew("Plain"), toNew("Plain")] },
    });
    if (!("tasks" in second.result)) throw new Error("a fork was launched");
    expect((await turnOf(kernel, P, second.agent_turn_id)).status).toBe("suspended");
    const { frames } = await readSnapshot(kernel, { project_id: P, root_turn_id: first.root_turn_id });
    const turns = frames.flatMap((frame) => (frame.kind === "turn" ? [`${frame.headcode} ${frame.status}`] : []));
    expect(turns.toSorted()).toEqual([
      "0H01 success",
      "0H02 suspended",
      "1P01 success",
      "1P02 dispatched",
      "1P03 dispatched",
    ]);
    for (const task of second.result.tasks) await end(await start(task));
    expect((await turnOf(kernel, P, second.agent_turn_id)).status).toBe("success");
  });

  test("is told of as what the person asks now, and its chain begins with them", async () => {
    const first = await launched({ args: toNew("Plain", { instruction: "the first question" }), origin: "schedule" });
    const second = await launched({ into: first.root_turn_id, args: toNew("Plain", { instruction: "the second" }) });
    const child = childOf(second);
    const facts = await withUnit(kernel, async (unit) =>
      readCallerFacts(unit, { project_id: P, caller: await turnOf(kernel, P, child.agent_turn_id) }),
    );
    expect(facts).toMatchObject({ origin: "human", root_text: "the second", root_turn_id: first.root_turn_id });
    const { chain } = await readTurnDetail(kernel, { project_id: P, agent_turn_id: child.agent_turn_id });
    expect(chain.map((link) => link.headcode)).toEqual(["0H02", "1P02"]);
  });

  test("ends with the run when the run is stopped", async () => {
    const first = await launched();
    const second = await launched({ into: first.root_turn_id });
    await stopTurn(kernel, { project_id: P, agent_turn_id: first.root_turn_id, scope: "subtree", by: "ann" });
    expect((await turnOf(kernel, P, childOf(second).agent_turn_id)).status).toBe("canceled");
  });

  test("the same action_id is the same launch, also when two come at once", async () => {
    const first = await launched();
    const again = { into: first.root_turn_id, action_id: "act_into" };
    const both = await Promise.all([launched(again), launched(again)]);
    expect(both.map((one) => one.is_replay).toSorted()).toEqual([false, true]);
    expect(both[0]?.agent_turn_id).toBe(both[1]?.agent_turn_id);
    expect(both.map((one) => one.root_turn_id)).toEqual([first.root_turn_id, first.root_turn_id]);
  });

  test("two at once get codes of their own", async () => {
    const first = await launched();
    await Promise.all([1, 2, 3].map(() => launched({ into: first.root_turn_id })));
    const given = await codes(first.root_turn_id);
    expect(new Set(given).size).toBe(given.length);
  });

  test("leaves nothing that the invariants would find", async () => {
    const { violations } = await checkInvariants(kernel.test.pool, { project_id: P, when: "always" });
    expect(violations).toEqual([]);
  });
});

describe("is refused, and nothing is written", () => {
  test.each([
    ["an unknown run", async () => ({ into: "turn_none" }), "not_found", "into: run turn_none not found"],
    [
      "a run of another project",
      async () => {
        const other = await launch(kernel, {
          project_id: "elsewhere",
          tool: "delegate_async",
          user: "ann",
          args: toNew("Plain"),
        });
        return { into: other.root_turn_id };
      },
      "not_found",
      "not found",
    ],
    [
      "a turn that is no root",
      async () => ({ into: childOf(await launched()).agent_turn_id }),
      "not_found",
      "give the id of a run's root turn",
    ],
    [
      "an import",
      async () => {
        const { root_turn_id } = await launched();
        await kernel.test.pool.query("UPDATE state.runs SET source = 'import' WHERE root_turn_id = $1", [root_turn_id]);
        return { into: root_turn_id };
      },
      "conflict",
      "nothing is added to it",
    ],
    [
      "an origin of its own",
      async () => ({ into: (await launched()).root_turn_id, origin: "schedule" }),
      "bad_request",
      "origin:",
    ],
  ])("%s", async (_name, make, code, message) => {
    const more = await make();
    const before = await countRows(kernel);
    await expect(launched(more)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    if (code !== "bad_request") {
      const preview = await previewLaunch(kernel, {
        project_id: P,
        tool: "delegate_async",
        user: "ann",
        args: toNew("Plain"),
        ...more,
      });
      expect(preview).toMatchObject({ ok: false, error_code: code, field: "into" });
    }
    expect(await countRows(kernel)).toEqual(before);
  });
});

test("is no more statements than a launch", async () => {
  const names: string[][] = [];
  const count = async (more: object) => {
    kernel.probe = (at, all) => {
      if (at === "before-commit") names.push([...all]);
    };
    const answer = await launched(more);
    kernel.probe = undefined;
    return answer;
  };
  const { root_turn_id } = await count({});
  await count({ into: root_turn_id });
  expect(names[1]?.length).toBe(names[0]?.length);
});

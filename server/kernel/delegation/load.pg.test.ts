// What a delegation hands over in order: the same for a delegation, the tasks of a fork, an expert and a person's launch.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { fork } from "../batch/fork";
import { readBox } from "../cardbox/read-box";
import { launch } from "../launch/launch";
import { appendOutput } from "../turns/append-output";

let kernel: TestKernel;
const P = "load";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
afterAll(() => kernel.close());

const { running, refused, accepted } = callersOf(() => kernel, P);
const forks = forksOf(() => kernel, P);

/** A running agent, the cards it was given and the cards it wrote. */
async function boss() {
  const caller = await running("Boss");
  const cards = ["first", "second", "third"].map((content) => ({ type: "agent.note", content, author_id: "x" }));
  await appendOutput(kernel, { ...caller, cards });
  const turn = await turnOf(kernel, P, caller.agent_turn_id);
  const out = await readBox(kernel, { project_id: P, box_id: turn.output_box_id ?? "" });
  const given = await readBox(kernel, { project_id: P, box_id: turn.context_box_id });
  const [a = "", b = "", c = ""] = out.card_ids;
  return { caller, out: out.box_id, given: given.box_id, begin: given.card_ids[1] ?? "", a, b, c };
}
const packedOf = async (agent_turn_id = "") => {
  const { context_box_id } = await turnOf(kernel, P, agent_turn_id);
  return (await readBox(kernel, { project_id: P, box_id: context_box_id })).card_ids.slice(0, -3);
};

test("a task of a fork takes boxes, cards and an ordered load, in this order", async () => {
  const { caller, out, given, begin, a, b, c } = await boss();
  const made = await forks.fork(caller, {
    tasks: [
      toNew("Hand", { load: [{ card_id: c }, { box_id: given }, { box_id: out }] }),
      toNew("Hand", { context_card_ids: [b], load: [{ card_id: a }, { card_id: b }] }),
      toNew("Hand", { context_box_id: out, context_card_ids: [c], load: [{ box_id: given }] }),
    ],
  });
  const packed = await Promise.all(made.tasks.map((task) => packedOf(task.agent_turn_id)));
  const pointer = (await readBox(kernel, { project_id: P, box_id: given })).card_ids.at(-1);
  expect(packed).toEqual([
    [c, begin, pointer, a, b],
    [b, a],
    [a, b, c, begin, pointer],
  ]);
});

test("a delegation, an expert and a person's launch take one too; history comes first", async () => {
  const { caller, out, a, b, c } = await boss();
  const load = [{ card_id: b }, { card_id: a }];
  const other = await accepted(caller, toNew("Hand", { load }));
  expect(await packedOf(other.agent_turn_id)).toEqual([b, a]);
  const asked = await forks.fork(
    caller,
    { expert_profile: "Hand", question: "?", include_history: true, load },
    "ask_expert",
  );
  expect(await packedOf(asked.tasks[0]?.agent_turn_id)).toEqual([a, b, c]);
  const args = { profile_name: "Hand", instruction: "x", load: [{ card_id: c }, { box_id: out }] };
  const { result } = await launch(kernel, { project_id: P, tool: "launch_principal", user: "ann", args });
  const turn_id = "agent_turn_id" in result ? result.agent_turn_id : "";
  expect(await packedOf(turn_id)).toEqual([c, a, b]);
});

test("a clone's memory stands before its load", async () => {
  const { caller, a, b, c } = await boss();
  const other = await boss();
  await forks.end(other.caller);
  const clone = {
    target_strategy: "clone",
    target_ref: other.caller.agent_id,
    instruction: "x",
    load: [{ card_id: b }],
  };
  const made = await accepted(caller, clone);
  const packed = await packedOf(made.agent_turn_id);
  expect(packed.slice(0, 3)).toEqual([other.a, other.b, other.c]);
  expect(packed.at(-1)).toBe(b);
  expect([a, c].some((id) => packed.includes(id))).toBe(false);
});

test("what is not the caller's is refused with the task that names it, and leaves nothing behind", async () => {
  const { caller } = await boss();
  const theirs = await boss();
  for (const [load, message] of [
    [[{ card_id: theirs.a }], `tasks.1.unauthorized card_id: ${theirs.a}`],
    [[{ box_id: theirs.out }], `tasks.1.unauthorized box_id: ${theirs.out}`],
    [[{ box_id: theirs.out, card_id: theirs.a }], "invalid args.tasks.1.load.0"],
    [Array.from({ length: 65 }, () => ({ card_id: theirs.a })), "invalid args.tasks.1.load: expected at most 64 items"],
  ] as const) {
    const error = await refused(() => forks.fork(caller, { tasks: [toNew("Hand"), toNew("Hand", { load })] }));
    expect([error.code, error.message]).toEqual(["bad_request", expect.stringContaining(message)]);
  }
});

test("as many statements for 64 tasks with loads as for one", async () => {
  const counts: number[] = [];
  for (const n of [1, 64]) {
    const { caller, out, given, a } = await boss();
    const load = [{ card_id: a }, { box_id: given }, { box_id: out }];
    const tasks = Array.from({ length: n }, () => toNew("Hand", { load }));
    counts.push(
      await countStatements(kernel, (counting) =>
        fork(counting, {
          project_id: P,
          caller: { ...caller, tool_call_id: `tc_${n}` },
          tool: "fork_join",
          args: { tasks },
        }),
      ),
    );
  }
  expect(counts[0]).toBe(counts[1]);
});

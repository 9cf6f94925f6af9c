// The branches of a fork share the cards in which they are equal; what each is sent, and what it weighs, is its own.
import { afterAll, beforeAll, expect, test } from "vitest";
import { StoredFacts } from "@/server/contract/delegation-context";
import { toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { readBoxCards } from "../cardbox/read-box-cards";
import { rerunTurn } from "../launch/rerun-turn";
import { readNextRequest } from "../read-models/read-next-request";
import { countTokens } from "../tokens/count-tokens";

let kernel: TestKernel;
const P = "shared";
const { sleeping, start, end, rows } = forksOf(
  () => ({ ...kernel, tunables: { ...kernel.tunables, forkTasksMax: 100 } }),
  P,
);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Boss", description: "Asks" },
    { name: "Plain", delegation_context: "verbose" },
    { name: "Other", delegation_context: "verbose" },
  ]);
});
afterAll(() => kernel.close());

const tasks = (...names: string[]) => names.map((name, i) => toNew(name, { instruction: `part ${i}` }));
const cardsOf = async (agent_turn_id: string | undefined) => {
  const { context_box_id } = await turnOf(kernel, P, agent_turn_id ?? "");
  return (await readBoxCards(kernel, { project_id: P, box_id: context_box_id })).cards;
};
const sentTo = async (agent_turn_id: string): Promise<string> => {
  const { messages } = await readNextRequest(kernel, { project_id: P, agent_turn_id });
  return messages.map(({ text }) => text).join("\n");
};
const told = (name: string, i: number, count: number, instruction = `part ${i}`) =>
  [
    "---",
    "[Delegation Context]",
    "Called by: Boss",
    'Boss is: "Asks"',
    `Delegation chain: human → Boss → you (${name})`,
    'Task context: The human asked: "begin"',
    "Depth: 2",
    `Batch: task ${i + 1} of ${count}`,
    "---",
    "",
    instruction,
  ].join("\n");

test("one facts card for each name and one pointer, and every branch is sent its own", async () => {
  const { fork } = await sleeping("Boss", tasks("Plain", "Other", "Plain", "Plain"));
  const boxes = await Promise.all(fork.tasks.map(({ agent_turn_id }) => cardsOf(agent_turn_id)));
  const ids = (type: string) => boxes.map((cards) => cards.find((card) => card.type === type)?.card_id);
  const [first, second] = ids("meta.delegation_context");
  expect(ids("meta.delegation_context")).toEqual([first, second, first, first]);
  expect(first).not.toBe(second);
  expect(new Set(ids("meta.parent_pointer")).size).toBe(1);
  expect(new Set(ids("task.instruction")).size).toBe(4);
  for (const [i, branch] of fork.tasks.entries()) {
    const { agent_turn_id } = await start(branch);
    const name = i === 1 ? "Other" : "Plain";
    expect(await sentTo(agent_turn_id)).toBe(told(name, i, 4));
    const turn = await turnOf(kernel, P, agent_turn_id);
    expect(turn.context_tokens).toBe(boxes[i]?.reduce((sum, card) => sum + card.token_count, 0));
  }
  const card = boxes[0]?.find(({ type }) => type === "meta.delegation_context");
  if (card?.content?.kind !== "json") throw new Error("the facts are JSON");
  const facts = StoredFacts.parse(card.content.data);
  expect(facts).toMatchObject({
    target: { name: "Plain" },
    batch: { batch_id: fork.batch_id, task_count: 4 },
    targets: [0, 2, 3].map((n) => ({
      agent_id: fork.tasks[n]?.agent_id,
      task_index: n,
      instruction_card_id: ids("task.instruction")[n],
    })),
  });
});

test("a branch weighs the same alone and among sixty-four, and its cards are as many as its tasks and two", async () => {
  // The pointer names the caller by its id, which is another in each fork here.
  const weigh = async (agent_turn_id: string | undefined) =>
    (await cardsOf(agent_turn_id)).slice(0, 2).map(({ type, token_count }) => [type, token_count]);
  const count = async () =>
    Number((await rows<{ n: number }>("SELECT count(*) AS n FROM cards WHERE tenant_id = $1", []))[0]?.n);
  const one = await sleeping("Boss", tasks("Plain"));
  const many = await sleeping("Boss", tasks(...Array<string>(64).fill("Plain")));
  const [alone, among] = [one.fork.tasks[0], many.fork.tasks[0]];
  const facts = countTokens("[Delegation Context]\nBoss\nAsks\nBoss\nPlain\nbegin");
  const own = [
    ["meta.delegation_context", facts],
    ["task.instruction", countTokens("part 0")],
  ];
  expect([await weigh(among?.agent_turn_id), await weigh(alone?.agent_turn_id)]).toEqual([own, own]);
  // A caller has cards of its own: two forks of one caller differ by nothing but their tasks.
  const before = await count();
  const { fork } = await sleeping("Boss", tasks("Plain", "Plain", "Plain"));
  const third = await count();
  const { fork: bigger } = await sleeping("Boss", tasks(...Array<string>(10).fill("Plain")));
  expect([fork.task_count, bigger.task_count]).toEqual([3, 10]);
  expect((await count()) - third - (third - before)).toBe(7);
});

test("a card lists no more than sixty-four", async () => {
  const { fork } = await sleeping("Boss", tasks(...Array<string>(64).fill("Plain"), "Plain", "Plain"));
  const facts = async (i: number) =>
    (await cardsOf(fork.tasks[i]?.agent_turn_id)).find(({ type }) => type === "meta.delegation_context")?.card_id;
  expect(await facts(63)).toBe(await facts(0));
  expect(await facts(64)).not.toBe(await facts(0));
  expect(await facts(65)).toBe(await facts(64));
  const { agent_turn_id } = await start(fork.tasks[65]);
  expect(await sentTo(agent_turn_id)).toBe(told("Plain", 65, 66));
});

test("a rerun of a branch is told its task, also with another instruction, and so is a rerun of that", async () => {
  const { fork } = await sleeping("Boss", tasks("Plain", "Plain", "Plain"));
  const branch = await start(fork.tasks[1]);
  await end(branch);
  const again = async (agent_turn_id: string, instruction?: string) => {
    const overrides = instruction === undefined ? {} : { instruction };
    const made = await rerunTurn(kernel, { project_id: P, agent_turn_id, overrides, user: "ann" });
    await start(made);
    return made.agent_turn_id;
  };
  const same = await again(branch.agent_turn_id);
  expect(await sentTo(same)).toBe(told("Plain", 1, 3));
  const other = await again(branch.agent_turn_id, "look again");
  expect(await sentTo(other)).toBe(told("Plain", 1, 3, "look again"));
  expect(await sentTo(await again(other, "and again"))).toBe(told("Plain", 1, 3, "and again"));
  expect((await cardsOf(other))[0]?.card_id).toBe((await cardsOf(branch.agent_turn_id))[0]?.card_id);
});

// Who wrote the history that is handed over: in the call, the request that is sent, the page that shows it, and the preview.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DelegateResult } from "@/server/contract/delegation";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { expertArgs } from "../delegation/expert-args";
import { provisionAgent } from "../delegation/provision-agent";
import { forkTurn } from "../launch/fork-turn";
import { launch } from "../launch/launch";
import { previewLaunch } from "../launch/preview-launch";
import { rerunTurn } from "../launch/rerun-turn";
import { readNextRequest } from "../read-models/read-next-request";
import { readStepSheet } from "../read-models/read-step-sheet";
import { readOffers } from "../tools/read-offers";
import { appendOutput } from "../turns/append-output";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";

let kernel: TestKernel;
const project_id = "background";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    { name: "Associate_Search", delegation_context: false },
    { name: "Expert", delegation_context: false },
  ]);
});
afterAll(() => kernel.close());

const { run, running, accepted, deliver } = callersOf(() => kernel, project_id);
const go = (child: DelegateResult): Promise<Running> => run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
const messages = async ({ agent_turn_id }: Pick<Running, "agent_turn_id">) =>
  (await readNextRequest(kernel, { project_id, agent_turn_id })).messages.map(
    ({ role, text, tool_calls, tool_call_id }) =>
      `${role}: ${text}${tool_calls || tool_call_id ? ` (${JSON.stringify(tool_calls ?? tool_call_id)})` : ""}`,
  );

const header = "[Background from Associate_Search (agent of profile Associate_Search), not your own work]";
const told = `user: ${header}\n\nI look.\n\n[Associate_Search called search with {"q":"ferries"}]\n\n[Result of search]\n"two a day"`;

/** A turn that has thought, called and read. */
async function searching(): Promise<Running> {
  const searcher = await running("Associate_Search");
  const id = `call_${searcher.agent_turn_id}`;
  await appendOutput(kernel, {
    ...searcher,
    cards: [
      {
        type: "agent.thought",
        author_id: searcher.agent_id,
        content: "I look.",
        tool_calls: [{ id, type: "function", function: { name: "search", arguments: '{ "q": "ferries" }' } }],
      },
      {
        type: "tool.call",
        author_id: searcher.agent_id,
        tool_call_id: id,
        content: { kind: "tool_call", tool_name: "search", arguments: { q: "ferries" } },
      },
      {
        type: "tool.result",
        author_id: "tool.search",
        tool_call_id: id,
        content: { kind: "tool_result", status: "success", result: "two a day" },
      },
    ],
  });
  return { ...searcher, turn: { ...searcher.turn, output_cards: 3 } };
}
const boxOf = (searcher: Running): string => searcher.turn.output_box_id ?? "";

describe("an expert that is asked with history", () => {
  test("reads whose work it is, before the question, and keeps its own work separate", async () => {
    const searcher = await searching();
    const args = expertArgs(searcher.turn, { expert_profile: "Expert", question: "Enough?", include_history: true });
    const expert = await go(await accepted(searcher, args));
    expect(await messages(expert)).toEqual([told, "user: Enough?"]);
    await appendOutput(kernel, {
      ...expert,
      cards: [{ type: "agent.thought", author_id: expert.agent_id, content: "I think so." }],
    });
    expect(await messages(expert)).toEqual([told, "user: Enough?", "assistant: I think so."]);
  });
  test("the page of a step shows what was sent, and siblings are told the same", async () => {
    const searcher = await searching();
    const ask = async (instruction: string) =>
      go(await accepted(searcher, toNew("Expert", { instruction, context_box_id: boxOf(searcher) })));
    const [one, other] = [await ask("One?"), await ask("Two?")];
    expect([await messages(one), await messages(other)]).toEqual([
      [told, "user: One?"],
      [told, "user: Two?"],
    ]);
    const next = await readNextRequest(kernel, { project_id, agent_turn_id: one.agent_turn_id });
    const step = await beginStep(kernel, {
      ...one,
      request: {
        card_ids: next.card_ids,
        system: next.system,
        tools: next.tools,
        tokens: next.tokens,
        tools_tokens: 0,
      },
    });
    if (isFenced(step)) throw new Error("fenced");
    await appendOutput(kernel, {
      ...one,
      cards: [{ type: "agent.thought", author_id: one.agent_id, content: "Later." }],
    });
    const sheet = await readStepSheet(kernel, { ...one, step_id: step.step_id });
    expect(sheet.request?.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([told, "user: One?"]);
    const [handed] = sheet.request?.messages ?? [];
    const cards = handed?.cards.map(({ card_id }) => card_id) ?? [];
    expect(cards).toHaveLength(2);
    const forked = async (drop: string[], replace: { card_id: string; with: string }[] = []) =>
      messages(await forkTurn(kernel, { project_id, agent_turn_id: one.agent_turn_id, user: "ann", drop, replace }));
    expect(await forked(cards)).toEqual(["user: One?"]);
    expect(await forked(cards.slice(1), [{ card_id: cards[0] ?? "", with: "We looked." }])).toEqual([
      "assistant: We looked.",
      "user: One?",
    ]);
    // Its last card alone leaves what the other agent said.
    expect((await forked(cards.slice(-1)))[0]).toContain("I look.");
  });
  test("one statement reads the writers of any number of cards, and none is sent if nothing was handed over", async () => {
    const searcher = await searching();
    const plain = await go(await accepted(searcher, toNew("Expert")));
    const given = await go(await accepted(searcher, toNew("Expert", { context_box_id: boxOf(searcher) })));
    const count = ({ agent_turn_id }: Running) =>
      countStatements(kernel, (counting) => readNextRequest(counting, { project_id, agent_turn_id }));
    expect((await count(given)) - (await count(plain))).toBe(1);
  });
});

describe("its own", () => {
  test("is what a reused agent wrote before, and what a clone's source wrote", async () => {
    const searcher = await searching();
    await deliver(searcher, "Two ferries.");
    const boss = await running("Expert");
    const target_ref = searcher.agent_id;
    const clone = await accepted(boss, { target_strategy: "clone", target_ref, instruction: "On." });
    const roles = async (turn: Running) => (await messages(turn)).map((line) => line.split(":")[0]);
    expect(await roles(await go(clone))).toEqual(["assistant", "tool", "assistant", "user"]);
    const again = await accepted(boss, { target_strategy: "reuse", target_ref, instruction: "On." });
    expect(await roles(await go(again))).toEqual(["assistant", "tool", "assistant", "user"]);
    const args = toNew("Expert", { context_box_id: boxOf(searcher) });
    const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "ann", args });
    const seen = await messages(await go(result as DelegateResult));
    expect(seen[0]).toBe(told);
    expect(seen[1]).toBe(
      "user: [Deliverable of Associate_Search (agent of profile Associate_Search), not your own work]\n\nTwo ferries.",
    );
  });
  test("includes the work of the turn that a rerun replaces; what was background there stays background", async () => {
    const searcher = await searching();
    const expert = await go(await accepted(searcher, toNew("Expert", { context_box_id: boxOf(searcher) })));
    await deliver(expert, "Enough.");
    const more = await go(
      await accepted(searcher, { target_strategy: "reuse", target_ref: expert.agent_id, instruction: "And now?" }),
    );
    const before = await messages(more);
    const frame = await rerunTurn(kernel, {
      project_id,
      agent_turn_id: more.agent_turn_id,
      user: "ann",
      overrides: {},
    });
    const again = await run(frame.agent_id, frame.agent_turn_id, 1);
    expect(await messages(again)).toEqual(before);
    expect(before[0]).toBe("assistant: Enough.");
  });
});

test("the preview of a launch shows it as it will be sent, under the name the agent has", async () => {
  const searcher = await searching();
  await provisionAgent(kernel, {
    project_id,
    caller: await running("Expert"),
    args: { action: "ensure", agent_id: searcher.agent_id, display_name: "Searcher", profile_name: "Associate_Search" },
  });
  const args = { ...toNew("Expert", { instruction: "Enough?" }), context_box_id: boxOf(searcher) };
  const asked = { project_id, tool: "delegate_async" as const, user: "ann", args };
  const preview = await previewLaunch(kernel, { ...asked, offer: readOffers });
  if (!preview.ok) throw new Error("it was refused");
  const { result } = await launch(kernel, asked);
  const sent = await messages(await go(result as DelegateResult));
  expect(preview.pack.rendered?.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(sent);
  expect(sent[0]).toContain("[Background from Searcher (agent of profile Associate_Search), not your own work]");
});

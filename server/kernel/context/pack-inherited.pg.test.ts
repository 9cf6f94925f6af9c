// Who may hand over what, and which cards are inherited.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openPackYard, type PackYard, packProject, packRecipe, textCard } from "@/server/testing/packing";
import type { AuthoredCard } from "../cardbox/draft-card";
import { RULESET } from "../redaction/ruleset";

let yard: PackYard;
beforeAll(async () => {
  yard = await openPackYard();
});
afterAll(() => yard.kernel.close());

describe("who may hand over what", () => {
  const { running, call, accepted, deliver, run } = callersOf(() => yard.kernel, packProject);
  const boss = async (agent_id: string, ...input_box_ids: (string | null)[]) =>
    yard.pack({ source_agent_id: agent_id, arguments: { instruction: "x", input_box_ids } });

  test("own turns, and children's only when they have ended", async () => {
    const parent = await running("Boss");
    const child = await accepted(parent, toNew("Boss"));
    await boss(parent.agent_id, parent.turn.context_box_id, parent.turn.output_box_id);
    const early = boss(parent.agent_id, child.output_box_id);
    await expect(early).rejects.toThrow(`unauthorized box_id: ${child.output_box_id}`);
    const childRun = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    const grandchild = await accepted(childRun, toNew("Boss"));
    await deliver(await run(grandchild.agent_id, grandchild.agent_turn_id, grandchild.turn_epoch ?? 0), "deep");
    await deliver(childRun, "done");
    await boss(parent.agent_id, child.output_box_id, child.context_box_id);
    await expect(boss(parent.agent_id, grandchild.output_box_id)).rejects.toThrow("unauthorized box_id");
    await expect(boss(child.agent_id, parent.turn.context_box_id)).rejects.toThrow("unauthorized box_id");
    expect(await call(parent, toNew("Boss", { context_box_id: child.output_box_id ?? "" }))).toMatchObject({
      status: "accepted",
    });
  });
  test("a name alone does not make an agent a person", async () => {
    await yard.kernel.db.pool.query(
      `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
       VALUES ($1, 'human_bot', $2, 'delegatee', 'w')`,
      [packProject, yard.delegatee],
    );
    const error = await yard.refused({
      source_agent_id: "human_bot",
      arguments: { instruction: "x", input_box_ids: "box_context" },
    });
    expect(error.message).toBe("unauthorized box_id: box_context");
  });
  test("single cards of such boxes; others and missing ones are refused, deleted ones are not checked", async () => {
    const handover = packRecipe({ include_cards_from_args: ["cards"] });
    const packed = await yard.pack({ handover, arguments: { instruction: "x", cards: ["c_ctx"] } });
    expect(packed.receipt.lines[0]).toMatchObject({ verdict: "included", origin: "card", card_id: "c_ctx" });
    await yard.put("box_of_others", ["c_other"]);
    expect(await yard.refused({ handover, arguments: { instruction: "x", cards: "c_other" } })).toMatchObject({
      code: "bad_request",
      message: "unauthorized card_id: c_other",
    });
    expect(
      await yard.refused({ handover, source_agent_id: "human_ann", arguments: { instruction: "x", cards: "nope" } }),
    ).toMatchObject({ code: "not_found" });
    const both = await yard.packAny({
      handover,
      arguments: { instruction: "x", input_box_ids: "box_context", cards: ["c_ctx", "c_other"] },
    });
    expect(both.card_ids.slice(0, 2)).toEqual(["c_ctx", "c_other"]);
    expect(both.receipt.left_out_cards).toBe(1);
  });
});

describe("what is not inherited", () => {
  test("delegation contexts, and the types a recipe leaves out, each with its line", async () => {
    const thought = { ...textCard("t_thought"), type: "agent.thought" };
    const facts = { ...textCard("t_facts"), type: "meta.delegation_context" };
    await yard.put("mixed", ["t_1", thought, facts, "t_2", { ...textCard("t_result"), type: "tool.result" }]);
    const packWith = (inherit: object) =>
      yard.packAny({ handover: packRecipe(inherit), arguments: { instruction: "x", input_box_ids: "mixed" } });
    const kept = async (inherit: object) => (await packWith(inherit)).card_ids.slice(0, -2);
    expect(await kept({})).toEqual(["t_1", "t_thought", "t_2", "t_result"]);
    expect(await kept({ exclude_types: ["agent.thought"] })).toEqual(["t_1", "t_2", "t_result"]);
    expect(await kept({ include_types: ["task.context"] })).toEqual(["t_1", "t_2"]);
    expect(await kept({ include_types: ["task.context", "tool.result"], exclude_types: ["tool.result"] })).toEqual([
      "t_1",
      "t_2",
    ]);
    const { receipt } = await packWith({ exclude_types: ["agent.thought"] });
    expect(receipt.lines.map((l) => `${l.verdict} ${l.from ?? ""}`.trim())).toEqual([
      "included 0",
      "withheld 1",
      "withheld 2",
      "included 3",
      "included",
      "included",
    ]);
    expect(receipt.lines[1]).toMatchObject({
      card_id: "t_thought",
      reason: expect.stringContaining("agent.thought"),
      tokens: expect.any(Number),
    });
    expect(receipt.left_out_cards).toBe(2);
  });
  test("redact: a copy is handed over, with an id derived from its original, the same copy the next time", async () => {
    await yard.put("secrets", ["s_1", textCard("s_2", "use AWS_SECRET_ACCESS_KEY=wJalrXUtn to log in"), "s_3"]);
    const go = () =>
      yard.packAny({
        handover: packRecipe({ redact: true }),
        arguments: { instruction: "x", input_box_ids: "secrets" },
      });
    const packed = await go();
    const [, copy] = await yard.cardsOf(packed.card_ids);
    expect(copy?.content).toEqual({ kind: "text", text: "use AWS_SECRET_ACCESS_KEY=[REDACTED:env_secret] to log in" });
    expect(copy?.metadata).toMatchObject({ redacted_from: "s_2", redactions: { env_secret: 1 } });
    expect(packed.receipt.lines[1]).toMatchObject({
      verdict: "redacted",
      from: 1,
      card_id: copy?.card_id,
      reason: "env_secret 1",
    });
    expect((await go()).card_ids.slice(0, 3)).toEqual(packed.card_ids.slice(0, 3));
    const nested = await yard.packAny({
      handover: packRecipe({ redact: true }),
      arguments: { instruction: "x", input_box_ids: [packed.context_box_id, "secrets"] },
    });
    expect(nested.card_ids.filter((id) => id.startsWith("red_"))).toHaveLength(1);
    expect(nested.card_ids).not.toContain("s_2");
  });
  test("redact: the cases of the list, and a copy of an earlier ruleset that is handed on as it is", async () => {
    const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----";
    const facts: AuthoredCard = {
      card_id: "c_43",
      type: "tool.result",
      author_id: "t",
      tool_call_id: "tc_43",
      content: { kind: "tool_result", status: "success", result: { repoFacts: { db: { password: "hunter2" } } } },
    };
    const texts = ["Authorization: Bearer abcdef1234567890", "AWS_SECRET_ACCESS_KEY=wJalrXUtn", `key:\n${pem}\nend`];
    const old = textCard("red_old", "password=[REDACTED:env_secret]");
    await yard.put("cases", [...texts.map((text, i) => textCard(`c_${i}`, text)), facts, old]);
    const { card_ids, receipt } = await yard.packAny({
      handover: packRecipe({ redact: true }),
      arguments: { instruction: "x", input_box_ids: "cases" },
    });
    const cards = await yard.cardsOf(card_ids.slice(0, 5));
    expect(cards.map(({ content }) => (content?.kind === "text" ? content.text : content))).toEqual([
      "Authorization: Bearer [REDACTED:bearer]",
      "AWS_SECRET_ACCESS_KEY=[REDACTED:env_secret]",
      "key:\n[REDACTED:private_key]\nend",
      expect.objectContaining({ result: { repoFacts: { db: { password: "[REDACTED:env_secret]" } } } }),
      "password=[REDACTED:env_secret]",
    ]);
    expect(card_ids[4]).toBe("red_old");
    expect(receipt.lines.slice(0, 5).map(({ reason }) => reason)).toEqual([
      "bearer 1",
      "env_secret 1",
      "private_key 1",
      "env_secret 1",
      undefined,
    ]);
    expect(cards[0]?.metadata).toMatchObject({ redacted_from: "c_0", redaction_ruleset: RULESET });
  });
  test("redact: the result of a call is copied, and the original stays", async () => {
    const result: AuthoredCard = {
      card_id: "s_res",
      type: "tool.result",
      author_id: "t",
      tool_call_id: "tc_s",
      content: { kind: "tool_result", status: "success", result: { password: "hunter2" } },
    };
    await yard.put("results", [result]);
    const packed = await yard.packAny({
      handover: packRecipe({ redact: true }),
      arguments: { instruction: "x", input_box_ids: "results" },
    });
    const [copy] = await yard.cardsOf(packed.card_ids);
    expect(copy).toMatchObject({
      content: { result: { password: "[REDACTED:env_secret]" } },
      metadata: { tool_call_id: "tc_s" },
    });
    expect(copy?.tool_call_id).toBeUndefined();
  });
});

// What people are asked, by a call of ask_human or before a call that they have to approve, and what happens then.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { callersOf } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { answerWith, faultOf, peopleOf } from "@/server/testing/people";
import { type HumanRequestRow, humanRequest, humanRequestFrame } from "../inbox/human-request-row";
import { reportResult } from "../inbox/report-result";
import { suspendTurn } from "../turns/suspend-turn";
import { decideRequest } from "./decide-request";

let kernel: TestKernel;
const P = "people";
const doorbell = createMemoryDoorbell();
const { running, refused } = callersOf(() => kernel, P);
const { saveTool, call, rowOf, resume, waitOf } = callsOf(() => kernel, P);
const { rows } = forksOf(() => kernel, P);
const { requestOf, asked, callAgain, decide, framesOfRequest } = peopleOf(() => kernel, P, "Asker");
beforeAll(async () => {
  kernel = await openTestKernel({ doorbell });
  await seedProject(kernel, P, [{ name: "Asker", allowed_tools: ["ask_human", "weigh"] }]);
  await seedProject(kernel, "other");
  await saveTool("weigh", {
    target_subject: "cmd.tool.weigh",
    options: { requires_approval: true },
    parameters: {
      type: "object",
      properties: { kilos: { type: "number", maximum: 100 }, what: { type: "string" } },
      required: ["kilos"],
      additionalProperties: false,
    },
  });
});
afterAll(() => kernel.close());

const commands = (tool_call_id: string) =>
  doorbell.rung.filter((ring) => ring.kind === "command" && ring.tool_call_id === tool_call_id);
describe("a question", () => {
  test("suspends the turn with a row and a frame, and its answer is the call's result", async () => {
    const args = { question: "Which one?\nThere are two.", choices: ["left", "right"], details: "both are fine" };
    const { turn, tool_call_id, step_id, request } = await asked("ask_human", args);
    expect(humanRequest(request)).toMatchObject({
      kind: "question",
      status: "open",
      agent_turn_id: turn.agent_turn_id,
      step_id,
      tool_call_id,
      question: { question: "Which one?\nThere are two.", details: "both are fine" },
      choices: ["left", "right"],
      is_edited: false,
      rev: 1,
    });
    const [first] = await framesOfRequest(request);
    expect(first).toEqual(humanRequestFrame(request));
    expect(first).toMatchObject({ title: "Which one?", request_kind: "question", status: "open" });
    expect(first).not.toHaveProperty("question");
    const [head] = await rows<{ note: string; resume_deadline: string | null }>(
      "SELECT t.note, h.resume_deadline FROM state.agent_turns t JOIN state.agent_state_head h USING (project_id, agent_id) WHERE t.project_id = $1 AND t.agent_turn_id = $2",
      [turn.agent_turn_id],
    );
    expect(head).toEqual({ note: "waits for a person", resume_deadline: null });

    const decided = await decide(request, answerWith("left"));
    expect(decided).toMatchObject({ status: "answered", answer: "left", decided_by: "ann", rev: 2 });
    expect((await framesOfRequest(request)).at(-1)).toMatchObject({ status: "answered", rev: 2, decided_by: "ann" });
    const resumed = await resume(turn, await rowOf(tool_call_id));
    expect(resumed).toMatchObject({ status: "running", turn_epoch: turn.turn_epoch + 1 });
    expect(resumed.results[0]).toMatchObject({
      tool_call_id,
      card: {
        type: "tool.result",
        author_id: "human_ann",
        content: { status: "success", result: { status: "answered", answer: "left", answered_by: "ann" } },
        metadata: { request_id: request.request_id, step_id },
      },
    });
  });

  test("is asked once, however often the call is made, also after a takeover", async () => {
    const turn = await running("Asker");
    const first = await call(turn, "ask_human", { question: "Once?" }, "the_call");
    const before = await countRows(kernel);
    const again = await callAgain(turn, turn.turn_epoch, first.step_id, "ask_human", { question: "Once?" });
    expect(again).toEqual({ tool_call_id: first.tool_call_id, mode: "suspend" });
    expect(await countRows(kernel)).toEqual(before);
    expect(await framesOfRequest(await requestOf(first.tool_call_id))).toHaveLength(1);
  });

  test("that is answered before the turn is suspended does not suspend it", async () => {
    const turn = await running("Asker");
    const { tool_call_id } = await call(turn, "ask_human", { question: "Quick?" });
    await decide(await requestOf(tool_call_id), answerWith("yes"));
    const slept = await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
    expect(slept).toMatchObject({ status: "running", results: [{ tool_call_id }], waiting: [] });
  });

  test.each([
    [{}, "question"],
    [{ question: " " }, "question"],
    [{ question: "x", choices: [] }, "choices"],
    [{ question: "x", timeout_seconds: 0 }, "timeout_seconds"],
    [{ question: "x", urgent: true }, "urgent"],
  ])("%o gives a failed result, and nobody is asked", async (args, named) => {
    const turn = await running("Asker");
    const { rows: before } = await kernel.db.pool.query("SELECT count(*) AS n FROM state.human_requests");
    const step = await call(turn, "ask_human", args);
    expect(step).toMatchObject({ mode: "inline", status: "failed", result: { error_code: "bad_request" } });
    expect(JSON.stringify(step)).toContain(named);
    expect((await kernel.db.pool.query("SELECT count(*) AS n FROM state.human_requests")).rows).toEqual(before);
  });

  test("cannot be answered otherwise: not by a tool service, another project or an approval", async () => {
    const { tool_call_id, request } = await asked();
    expect((await faultOf(reportResult(kernel, { project_id: P, tool_call_id, status: "success" }))).code).toBe(
      "conflict",
    );
    const { request_id } = request;
    const elsewhere = { project_id: "other", request_id, by: "ann", decision: answerWith("x") };
    expect((await refused(() => decideRequest(kernel, elsewhere))).code).toBe("not_found");
    expect((await refused(() => decide(request, { action: "approve" }))).message).toContain("answer it");
    expect((await requestOf(tool_call_id)).status).toBe("open");
  });
});

describe("an approval", () => {
  test("holds the call back; once approved, it is carried out once, and the model's own call stays as it was", async () => {
    const { turn, tool_call_id, step_id, request } = await asked("weigh", { kilos: 3 });
    expect(humanRequest(request)).toMatchObject({ kind: "approval", tool_name: "weigh", arguments: { kilos: 3 } });
    expect(commands(tool_call_id)).toEqual([]);
    expect(await waitOf(tool_call_id)).toBeUndefined();
    // The same call keeps waiting until the decision has been read, even after it was made.
    await decide(request, { action: "approve" });
    const row = await rowOf(`${tool_call_id}-approval`);
    const resumed = await resume(turn, row);
    expect(resumed).toMatchObject({
      status: "running",
      results: [{ tool_call_id, card: { type: "meta.approved_call" } }],
    });

    const made = await callAgain(turn, resumed.turn_epoch, step_id, "weigh", { kilos: 3 });
    expect(made).toMatchObject({ mode: "suspend", tool_call_id });
    expect(commands(tool_call_id)).toMatchObject([{ tool_call_card_id: resumed.results[0]?.card.card_id }]);
    await callAgain(turn, resumed.turn_epoch, step_id, "weigh", { kilos: 3 });
    expect(commands(tool_call_id)).toHaveLength(1);
    await suspendTurn(kernel, { ...turn, turn_epoch: resumed.turn_epoch, tool_call_ids: [tool_call_id] });
    await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: "3 kg" });
    const last = await resume(turn, await rowOf(tool_call_id));
    expect(last).toMatchObject({ status: "running", turn_epoch: turn.turn_epoch + 2 });
    expect(last.results[0]?.card.content).toMatchObject({ status: "success", result: "3 kg" });
  });

  test("with other arguments: those go to the tool, and the row and the card say who changed them", async () => {
    const { turn, tool_call_id, step_id, request } = await asked("weigh", { kilos: 3 });
    const decided = await decide(request, { action: "approve", arguments: { kilos: 4, what: "tea" }, reason: "more" });
    expect(decided).toMatchObject({
      status: "approved",
      is_edited: true,
      arguments: { kilos: 3 },
      edited_arguments: { kilos: 4, what: "tea" },
    });
    const resumed = await resume(turn, await rowOf(`${tool_call_id}-approval`));
    const card = resumed.results[0]?.card;
    expect(card).toMatchObject({
      content: { kind: "tool_call", tool_name: "weigh", arguments: { kilos: 4, what: "tea" } },
      metadata: { decided_by: "ann", is_edited: true, reason: "more" },
    });
    await callAgain(turn, resumed.turn_epoch, step_id, "weigh", { kilos: 3 });
    expect(commands(tool_call_id)).toMatchObject([{ tool_call_card_id: card?.card_id }]);
    const calls = await rows<{ content: { arguments: unknown } }>(
      "SELECT content FROM cards WHERE tenant_id = $1 AND tool_call_id = $2 AND metadata ->> 'type' = 'tool.call'",
      [tool_call_id],
    );
    expect(calls.map(({ content }) => content.arguments)).toEqual([{ kilos: 3 }]);
  });

  test("with arguments that do not match is refused and stays open; the same ones in another order are no edit", async () => {
    const { request } = await asked("weigh", { kilos: 3, what: "tea" });
    for (const wrong of [{}, { kilos: "four" }, { kilos: 400 }, { kilos: 4, grams: 1 }]) {
      const error = await refused(() => decide(request, { action: "approve", arguments: wrong as never }));
      expect(error.code).toBe("bad_request");
      expect(error.message).toMatch(/^arguments/);
    }
    const decided = await decide(request, { action: "approve", arguments: { what: "tea", kilos: 3 } });
    expect(decided).toMatchObject({ status: "approved", is_edited: false });
    expect(decided).not.toHaveProperty("edited_arguments");
  });

  test("if denied, gives the call a failed result with the reason, and the tool is never called", async () => {
    const { turn, tool_call_id, request } = await asked("weigh", { kilos: 3 });
    await decide(request, { action: "deny", reason: "too heavy" });
    const resumed = await resume(turn, await rowOf(`${tool_call_id}-approval`));
    expect(resumed).toMatchObject({ status: "running", results: [{ tool_call_id, card: { type: "tool.result" } }] });
    expect(resumed.results[0]?.card).toMatchObject({
      tool_call_id,
      content: {
        status: "failed",
        error: { code: "denied_by_human", message: "ann denied the call of weigh: too heavy" },
        result: { error_code: "denied_by_human", reason: "too heavy", denied_by: "ann" },
      },
    });
    const again = await callAgain(turn, resumed.turn_epoch, stepOf(request), "weigh", { kilos: 3 });
    expect(again).toMatchObject({ mode: "inline", status: "failed" });
    expect(commands(tool_call_id)).toEqual([]);
  });

  test("cannot be reported by a tool service before it is approved", async () => {
    const { tool_call_id, request } = await asked("weigh", { kilos: 3 });
    const report = (id: string) =>
      reportResult(kernel, { project_id: P, tool_call_id: id, status: "success", result: 1 });
    expect((await faultOf(report(`${tool_call_id}-approval`))).code).toBe("conflict");
    expect((await faultOf(report(tool_call_id))).code).toBe("not_found");
    expect((await requestOf(request.tool_call_id)).status).toBe("open");
  });
});

const stepOf = ({ step_id }: HumanRequestRow): string => step_id ?? "";

// What ends a turn, read from its cards: `terminate` counts whatever the status, a failed result before a successful one,
// and otherwise the first.
import { expect, test } from "vitest";
import type { Card, CardContent } from "@/server/contract/card";
import { nextMove } from "./next-move";

type Status = Extract<CardContent, { kind: "tool_result" }>["status"];

let n = 0;
const card = (type: string, step_id: string, content: CardContent | null, tool_call_id?: string): Card => ({
  card_id: `c${++n}`,
  project_id: "p",
  type,
  role: "assistant",
  author_id: "a",
  content,
  ...(tool_call_id !== undefined && { tool_call_id }),
  metadata: { step_id },
  content_hash: "h",
  token_count: 1,
  created_at: "2026-01-01T00:00:00Z",
});
const thought = (step = "s1") => card("agent.thought", step, { kind: "text", text: "hm" });
const call = (id: string, step = "s1") =>
  card("tool.call", step, { kind: "tool_call", tool_name: id, arguments: {} }, id);
const ended = (id: string, status: Status, after_execution: "suspend" | "terminate" = "terminate", result?: object) =>
  card(
    "tool.result",
    "s1",
    { kind: "tool_result", status, after_execution, ...(result && { result: result as never }) },
    id,
  );

/** The call that ends the turn. */
const ends = (cards: Card[]) => {
  const move = nextMove(cards);
  return move.kind === "deliver" ? move.call.tool_call_id : move.kind;
};

test.each(["success", "failed", "canceled", "timeout", "partial"] as const)(
  "a result that is %s ends the turn",
  (status) => {
    expect(ends([thought(), call("a"), ended("a", status)])).toBe("a");
    expect(
      ends([thought(), call("a"), ended("a", status, "suspend", { __cg_control: { after_execution: "terminate" } })]),
    ).toBe("a");
    expect(ends([thought(), call("a"), ended("a", status, "suspend")])).toBe("ask");
  },
);

test("of several a failed one counts, otherwise the first, in the order of the calls", () => {
  const calls = [thought(), call("a"), call("b"), call("c")];
  const three = (...statuses: Status[]) =>
    ["a", "b", "c"].map((id, i) => ended(id, statuses[i] ?? "success")).toReversed();
  expect(ends([...calls, ...three("success", "failed", "failed")])).toBe("b");
  expect(ends([...calls, ...three("success", "success", "timeout")])).toBe("c");
  expect(ends([...calls, ...three("success", "success", "success")])).toBe("a");
  const notAll = [ended("a", "failed", "suspend"), ended("b", "success"), ended("c", "failed", "suspend")];
  expect(ends([...calls, ...notAll])).toBe("b");
});

test("what is still out of the step is carried out first, since it may fail; an open call of another step waits for nothing", () => {
  expect(nextMove([thought(), call("a"), call("b"), ended("a", "success")])).toMatchObject({
    kind: "execute",
    calls: [{ tool_call_id: "b" }],
  });
  expect(ends([thought("s0"), call("lost", "s0"), thought(), call("a"), ended("a", "success")])).toBe("a");
});

// What a result does to the turn that waited for it: a tool's declaration, its report's word, and what the result says.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { controlOf } from "../inbox/report-result";
import { afterExecution } from "./apply-results";

const stored = (after_execution: "suspend" | "terminate", result?: unknown) => ({
  content: { kind: "tool_result" as const, status: "success" as const, after_execution, result: result as never },
});
const control = (after_execution: unknown) => ({ __cg_control: { after_execution } });

describe("145 a result as it is read", () => {
  test("stored to wake its caller, it can still end the turn", () => {
    expect(afterExecution(stored("suspend", control("terminate")))).toBe("terminate");
  });
  test("stored to end the turn, it does so, whatever it says", () => {
    expect(afterExecution(stored("terminate", control("suspend")))).toBe("terminate");
  });
  test.each(["pause", "", null, 7, {}])("control %j is ignored: the stored setting holds", (word) => {
    expect(afterExecution(stored("suspend", control(word)))).toBe("suspend");
    expect(afterExecution(stored("terminate", control(word)))).toBe("terminate");
  });
  test.each([
    "terminate",
    null,
    undefined,
    ["terminate"],
    { __cg_control: "terminate" },
    { __cg_control: ["terminate"] },
  ])("a result of %j says nothing", (result) => {
    expect(afterExecution(stored("suspend", result))).toBe("suspend");
  });
  test("a card that is not a result ends nothing", () => {
    expect(afterExecution({ content: { kind: "text", text: "terminate" } })).toBe("suspend");
    expect(afterExecution({ content: null })).toBe("suspend");
  });
});

test("controlOf knows two words, and no answer of a tool makes it fail", () => {
  expect([controlOf(control("suspend")), controlOf(control("terminate"))]).toEqual(["suspend", "terminate"]);
  fc.assert(
    fc.property(fc.anything(), (result) => {
      expect([undefined, "suspend", "terminate"]).toContain(controlOf(result));
    }),
  );
});

// Arguments from outside that the schema would pass over in silence are refused with their path.
import { expect, test } from "vitest";
import { DelegateInput } from "@/server/contract/delegation";
import { LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import { parseArgs } from "./parse-args";

const from = (text: string): unknown => JSON.parse(text);

test("a key that would be lost is refused, as an unknown one is", () => {
  expect(() => parseArgs(LaunchPlanArgs, from('{"plan": "p", "inputs": {"__proto__": "x"}}'))).toThrow(
    "args.inputs.__proto__: the name is not allowed; choose another",
  );
  const delegate = '"target_strategy": "new", "target_ref": "A", "instruction": "a"';
  const tone = (value: string) => from(`{${delegate}, "arguments": {"tone": ${value}}}`);
  expect(() => parseArgs(DelegateInput, tone('[{"__proto__": 1}]'))).toThrow("args.arguments.tone.0.__proto__: ");
  expect(parseArgs(DelegateInput, tone('{"constructor": 1}')).arguments).toEqual({ tone: { constructor: 1 } });
});

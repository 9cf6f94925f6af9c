import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { parseFork } from "./parse-fork";

const task = { target_strategy: "new", target_ref: "P", instruction: "go" };
const limits = { forkTasksMax: 64, batchDeadlineMs: 900_000 };
const parse = (args: unknown, given = limits) => parseFork(given, args);
const many = (n: number) => ({ tasks: Array.from({ length: n }, () => task) });

function refusal(args: unknown, given = limits): KernelError {
  try {
    parse(args, given);
  } catch (error) {
    if (error instanceof KernelError) return error;
    throw error;
  }
  throw new Error(`it was accepted: ${JSON.stringify(args)}`);
}

describe("59 the first fault is reported, with its path", () => {
  test.each([
    ["tasks is a word", { tasks: "oops" }, "invalid args.tasks"],
    ["no tasks at all", {}, "invalid args.tasks"],
    ["an empty list", { tasks: [] }, "invalid args.tasks"],
    ["no strategy", { tasks: [{ instruction: "x" }] }, "invalid args.tasks.0.target_strategy"],
    [
      "the second task's",
      { tasks: [task, { ...task, target_strategy: "old" }] },
      "invalid args.tasks.1.target_strategy",
    ],
    ["no target", { tasks: [{ ...task, target_ref: "  " }] }, "invalid args.tasks.0.target_ref"],
    ["nothing to do", { tasks: [{ ...task, instruction: " \n" }] }, "invalid args.tasks.0.instruction"],
    ["a box that is no id", { tasks: [{ ...task, context_box_id: true }] }, "invalid args.tasks.0.context_box_id"],
    ["an unknown key of a task", { tasks: [{ ...task, colour: "red" }] }, "invalid args.tasks.0.colour"],
    ["an unknown key", { ...many(1), colour: "red" }, "invalid args.colour"],
    ["not an object", "tasks", "invalid args"],
    ["NUL", { tasks: [{ ...task, instruction: "a\u0000b" }] }, "args.tasks.0.instruction"],
    ["max_parallel in halves", { ...many(2), max_parallel: 1.5 }, "invalid args.max_parallel"],
    ["six attempts", { tasks: [{ ...task, attempts: 6 }] }, "invalid args.tasks.0.attempts"],
    ["no attempt", { tasks: [{ ...task, attempts: 0 }] }, "invalid args.tasks.0.attempts"],
    ["half an attempt", { tasks: [{ ...task, attempts: 1.5 }] }, "invalid args.tasks.0.attempts"],
    ["max_parallel of none", { ...many(2), max_parallel: 0 }, "invalid args.max_parallel"],
  ])("%s", (_what, args, message) => {
    const error = refusal(args);
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain(message);
  });
});

describe("61 the number of tasks", () => {
  test("64 pass, 65 do not, and the message has both numbers", () => {
    expect(parse(many(64)).tasks).toHaveLength(64);
    expect(refusal(many(65)).message).toContain("(got=65, max=64)");
  });
  test("the service may allow fewer", () => {
    expect(refusal(many(3), { ...limits, forkTasksMax: 2 }).message).toContain("(got=3, max=2)");
  });
  test.each([0, -1, Number.NaN])("a limit of %s is invalid: 64 applies", (forkTasksMax) => {
    expect(parse(many(64), { ...limits, forkTasksMax }).tasks).toHaveLength(64);
    expect(refusal(many(65), { ...limits, forkTasksMax }).message).toContain("max=64");
  });
});

describe("63 different words for yes and no, numbers as text", () => {
  test.each(["YES", "on", "true", "1", 1, true])("fail_fast %j is yes", (fail_fast) => {
    expect(parse({ ...many(1), fail_fast }).fail_fast).toBe(true);
  });
  test.each(["", "0", 0, "off", "No", false, null, undefined])("fail_fast %j is no", (fail_fast) => {
    expect(parse({ ...many(1), fail_fast }).fail_fast).toBe(false);
  });
  test.each(["maybe", 2, {}])("fail_fast %j is neither", (fail_fast) => {
    expect(refusal({ ...many(1), fail_fast }).message).toContain("invalid args.fail_fast");
  });
  test.each([
    ["42", 42],
    [0.5, 0.5],
    [null, undefined],
    [undefined, undefined],
  ])("deadline_seconds %j", (deadline_seconds, seconds) => {
    expect(parse({ ...many(1), deadline_seconds }).deadline_seconds).toBe(seconds);
  });
  test.each([0, -1, "x", "", true, "0", Number.POSITIVE_INFINITY])(
    "deadline_seconds %j is refused",
    (deadline_seconds) => {
      expect(refusal({ ...many(1), deadline_seconds }).message).toContain("invalid args.deadline_seconds");
    },
  );
});

describe("65 an agent has one turn at a time", () => {
  const reuse = (target_ref: string) => ({ ...task, target_strategy: "reuse", target_ref });
  test("the same one twice is refused, at the second place", () => {
    const error = refusal({ tasks: [reuse("a"), reuse("b"), reuse("a")] });
    expect(error.message).toContain("invalid args.tasks.2.target_ref: duplicate reuse target agent_id a");
  });
  test("a clone of it, and a profile of that name, are different agents", () => {
    const tasks = [reuse("a"), { ...task, target_strategy: "clone", target_ref: "a" }, { ...task, target_ref: "a" }];
    expect(parse({ tasks }).tasks).toHaveLength(3);
  });
});

test("67 tasks keep their order, whatever is in them", () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 64 }), (words) => {
      const { tasks } = parse({ tasks: words.map((instruction) => ({ ...task, instruction })) });
      expect(tasks.map((one) => one.instruction)).toEqual(words);
    }),
  );
});

test("an instruction of 5 MB is payload_too_large, with the task it is of", () => {
  const error = refusal({ tasks: [task, { ...task, instruction: "x".repeat(5_000_000) }] });
  expect([error.code, error.detail?.path]).toEqual(["payload_too_large", "tasks.1.instruction"]);
});

test("whatever a model writes is either understood or refused, and never breaks", () => {
  fc.assert(
    fc.property(fc.anything(), (args) => {
      try {
        parse(args);
      } catch (error) {
        expect(error).toBeInstanceOf(KernelError);
      }
    }),
  );
});

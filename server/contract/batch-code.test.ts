// How a batch is called: by its number where it has one, else by what it is.
import { expect, test } from "vitest";
import { batchCode, batchFirstWord, batchInWords } from "./batch-code";

test.each([
  [{ number: 2, tool_name: "fork_join" as const }, ["B2", "B2", "B2"]],
  [{ tool_name: "ask_expert" as const }, ["Ask", "the question", "The question"]],
  [{ tool_name: "plan_wagon" as const }, ["Step", "the step", "The step"]],
])("%j", (batch, words) => {
  expect([batchCode(batch), batchInWords(batch), batchFirstWord(batch)]).toEqual(words);
});

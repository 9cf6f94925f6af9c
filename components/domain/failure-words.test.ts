import { expect, test } from "vitest";
import { failureWords } from "./failure-words";

test("a code of ours is said in words, one of somebody else's as it is", () => {
  expect(failureWords(undefined)).toBeUndefined();
  expect(failureWords("tool_timeout")).toBe("The tool did not answer within its time");
  expect(failureWords("quota_of_acme")).toBe("quota_of_acme");
});

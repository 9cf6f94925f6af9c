// The words of a problem on its wagon.
import { expect, it } from "vitest";
import { shortProblem } from "./short-problem";

it("says what is wrong in a few words, and otherwise the sentence without the name beside it", () => {
  expect(
    shortProblem({ code: "no_instruction", message: "Search has no instruction. Write what is to be done." }, "Search"),
  ).toBe("no instruction");
  expect(shortProblem({ code: "before", message: "Search ends before Read starts." }, "Search")).toBe(
    "ends before Read starts.",
  );
  expect(shortProblem({ code: "before", message: "Read starts." }, "Search")).toBe("Read starts.");
});

import { expect, test } from "vitest";
import { readHttpAnswer } from "./read-http-answer";

const read = (status: number, text: string, type = "application/json", declared: "suspend" | "terminate" = "suspend") =>
  readHttpAnswer({ status, type, text }, declared);

test("JSON and text are the result as they are; 202 comes later", () => {
  expect(read(200, '{"n": 1}')).toEqual({ status: "success", result: { n: 1 } });
  expect(read(201, "[1]", "application/problem+json")).toEqual({ status: "success", result: [1] });
  expect(read(200, "words", "text/plain")).toEqual({ status: "success", result: "words" });
  expect(read(204, "", "")).toEqual({ status: "success", result: null });
  expect(read(202, "{}")).toBeNull();
});

test.each([
  [400, "check the arguments"],
  [401, "options.headers"],
  [404, "target_subject"],
  [429, "later"],
  [503, "later"],
])("%s is a failed result with its remedy and what the service said", (status, remedy) => {
  expect(read(status, "no  such\nword")?.error).toEqual({
    code: `http_${status}`,
    message: expect.stringMatching(new RegExp(`${remedy}.*Its answer: no such word$`)),
  });
});

test("a long error text is cut, and says so", () => {
  const message = read(500, "x".repeat(5_000))?.error?.message ?? "";
  expect(message.length).toBeLessThan(700);
  expect(message).toContain("the first 500 characters");
});

test("an answer that is neither JSON nor text is no result", () => {
  expect(read(200, "{nope")?.error?.code).toBe("http_bad_answer");
  expect(read(200, "\u0000", "image/png")?.error?.code).toBe("http_bad_answer");
});

test("an answer in a charset that is not known fails by its name; what is not read needs none", () => {
  const of = (status: number) => readHttpAnswer({ status, type: "text/plain", text: "", unread: "x-a" }, "terminate");
  expect(of(200)).toMatchObject({ status: "failed", after_execution: "terminate" });
  expect(of(200)?.error).toMatchObject({ code: "http_bad_answer", message: expect.stringContaining("charset x-a") });
  expect(of(202)).toBeNull();
  expect(of(500)?.error?.code).toBe("http_500");
});

test("the end of the turn: the result's own setting overrides what the tool declares", () => {
  const control = (after_execution: string) => JSON.stringify({ __cg_control: { after_execution } });
  expect(read(200, "1", undefined, "terminate")).toMatchObject({ after_execution: "terminate" });
  expect(read(200, control("suspend"), undefined, "terminate")).not.toHaveProperty("after_execution");
  expect(read(200, control("terminate"))).toMatchObject({ after_execution: "terminate" });
  expect(read(500, "1", undefined, "terminate")).toMatchObject({ status: "failed", after_execution: "terminate" });
  expect(read(200, "{", undefined, "terminate")).toMatchObject({ status: "failed", after_execution: "terminate" });
  expect(read(500, "1")).not.toHaveProperty("after_execution");
});

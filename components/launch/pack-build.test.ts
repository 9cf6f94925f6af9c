import { expect, test } from "vitest";
import { PackToBuild } from "@/server/contract/context-pack/request";
import { buildRequest, emptyBuild, offeredGoal } from "./pack-build";

test("what is typed becomes a request that the kernel takes, without empty lines and fields", () => {
  const request = buildRequest({ goal: " Retry. ", done: "a\n\n  b \n", workspace: "code", search: " retry " });
  expect(request).toEqual({ goal: "Retry.", definition_of_done: ["a", "b"], workspace: "code", search: "retry" });
  expect(PackToBuild.safeParse(request).success).toBe(true);
});

test("words to look for without a workspace are not sent, and an empty goal is sent for its refusal", () => {
  expect(buildRequest({ ...emptyBuild, search: "retry" })).toEqual({ goal: "" });
  expect(PackToBuild.safeParse(buildRequest(emptyBuild)).success).toBe(false);
});

test("the first line is the goal that is offered, cut between characters", () => {
  expect(offeredGoal("\n Retry with backoff.\nThen test.", 600)).toBe("Retry with backoff.");
  expect(offeredGoal("a😀b", 2)).toBe("a😀");
  expect(offeredGoal("", 600)).toBe("");
});

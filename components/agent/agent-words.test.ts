import { expect, test } from "vitest";
import { agentName, agentTail, isPerson, personName } from "./agent-words";

test.each([
  [{ agent_id: "demo-planner_01a20090900175d099fd03a8d0d725b3" }, "demo-planner 25b3"],
  [{ agent_id: "websurfer_60aaeb29" }, "websurfer_60aaeb29"],
  [{ agent_id: "a", display_name: "The planner" }, "The planner"],
  [{ agent_id: "a", display_name: "" }, "a"],
])("%o is called %s", (agent, name) => {
  expect(agentName(agent)).toBe(name);
});

test("people are told by their id", () => {
  expect([isPerson({ agent_id: "human_mara" }), isPerson({ agent_id: "humanist_1" })]).toEqual([true, false]);
  expect(personName({ agent_id: "human_mara" })).toBe("mara");
});

test("agents that are called alike are told apart by the end of their id", () => {
  expect(agentTail({ agent_id: "a_25b3", display_name: "Planner" })).toBe("25b3");
  expect(agentTail({ agent_id: "a_25b3" })).toBeNull();
  expect(agentTail({ agent_id: "human_mara", display_name: "Mara" })).toBeNull();
});

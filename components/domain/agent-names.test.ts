import { expect, test } from "vitest";
import { agentName, agentTail, authorName, isPerson, personName, profileLabel, tailOf } from "./agent-names";

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
  expect(personName("human_mara")).toBe("mara");
  expect(personName("human_1a2b3c4d")).toBe("human");
});

test("agents that are called alike are told apart by the end of their id", () => {
  expect(agentTail({ agent_id: "a_25b3", display_name: "Planner" })).toBe("25b3");
  expect(agentTail({ agent_id: "a_25b3" })).toBeNull();
  expect(agentTail({ agent_id: "human_mara", display_name: "Mara" })).toBeNull();
});

test("a tail has letters and digits only, and a log's profile has no mark of the import", () => {
  expect(tailOf("agent_x-9")).toBe("ntx9");
  expect(profileLabel("import:WebSurfer")).toBe("WebSurfer");
});

test.each([
  ["demo-reader_01a20090900175d099fd03a8d0d725b3", "Demo_Reader", "Demo_Reader 25b3"],
  ["demo-reader_01a20090900175d099fd03a8d0d725b3", undefined, "demo-reader 25b3"],
  ["WebSurfer", "WebSurfer", "WebSurfer"],
  ["human_mara", "Mara", "mara"],
  ["switchyard", undefined, "switchyard"],
])("as an author, %s called %s is %s", (id, name, said) => {
  expect(authorName(id, name)).toBe(said);
});

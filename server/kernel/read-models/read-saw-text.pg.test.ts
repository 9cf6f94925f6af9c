// Words are found as they were selected, whatever stands between them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { readSawText } from "./read-saw-text";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Reader", worker_target: "t1" }]);
});
afterAll(() => kernel.close());

// Postgres and JavaScript do not agree on the byte order mark and on NEL.
test.each([
  ["blanks and line breaks", " \n\t "],
  ["a no-break space", "\u00a0"],
  ["a byte order mark", "\ufeff"],
  ["NEL, which JavaScript does not fold", "\u0085"],
  ["a separator of lines", "\u2028"],
  ["an ideographic space", "\u3000"],
  ["a space without width", "\u200b"],
])("across %s", async (_name, between) => {
  const turn = await callersOf(() => kernel, "p1").running("Reader");
  const text = `alpha${between}beta`;
  const card_id = await alarmsOf(() => kernel, "p1").write(turn, `It says ${text} there`);
  const found = await readSawText(kernel, { project_id: "p1", root_turn_id: turn.turn.root_turn_id, text });
  expect(found).toMatchObject({ cards: [{ card_id }], turns: [{ agent_turn_id: turn.agent_turn_id, as: ["output"] }] });
});

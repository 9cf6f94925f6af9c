import { expect, test } from "vitest";
import { fillTemplate } from "./fill-template";

test.each([
  ["Hello {display_name}.", "Hello Solver."],
  ['{{"result": {{"fields": []}}}}', '{"result": {"fields": []}}'],
  ["{unknown} stays, {display_name} goes", "{unknown} stays, Solver goes"],
  ["{{display_name}}", "{display_name}"],
  ["{{{display_name}}}", "{Solver}"],
  ["{brace}", "{display_name}"],
  ["{ not one }, {}, {1a}, {toString}", "{ not one }, {}, {1a}, {toString}"],
  ["}", "}"],
])("%s", (template, wanted) => {
  expect(fillTemplate(template, { display_name: "Solver", brace: "{display_name}" })).toBe(wanted);
});

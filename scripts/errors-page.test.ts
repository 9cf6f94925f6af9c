import fs from "node:fs";
import { expect, test } from "vitest";
import { errorsFile, errorsPage } from "./errors-page";

test("docs/errors.md is what `npm run docs:errors` writes", () => {
  expect(fs.readFileSync(errorsFile, "utf8"), "out of date: run `npm run docs:errors`").toBe(errorsPage());
});

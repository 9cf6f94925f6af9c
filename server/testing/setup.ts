// Runs in every test file of both projects.
import { afterEach } from "vitest";
import { takeConsoleErrors, watchConsole } from "./console";

watchConsole();

afterEach(() => {
  const errors = takeConsoleErrors();
  if (errors.length > 0) throw new Error(`Unexpected console.error:\n${errors.join("\n")}`);
});

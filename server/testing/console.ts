// An unexpected console.error fails the test that caused it; an expected one is taken by name.
import { format } from "node:util";

const errors: string[] = [];

export function watchConsole(): void {
  console.error = (...args: unknown[]) => {
    errors.push(format(...args));
  };
}

/** What was written to console.error since the last call. A test that expects it takes it; the rest fails. */
export function takeConsoleErrors(): string[] {
  return errors.splice(0);
}

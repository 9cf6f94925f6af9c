// An unexpected console.error fails the test that caused it; a test must take the ones it expects.
import { format } from "node:util";

const errors: string[] = [];

export function watchConsole(): void {
  console.error = (...args: unknown[]) => {
    errors.push(format(...args));
  };
}

/** What was written to console.error since the last call. A test takes what it expects; anything left fails it. */
export function takeConsoleErrors(): string[] {
  return errors.splice(0);
}

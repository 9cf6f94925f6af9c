// Warnings are as many and as long as the names in a profile: one of 20,000 tools came with 2.4 MB of them, and the dialog drew
// every line. What is left out is counted.
import { mendText } from "@/server/contract/text";

const COUNT_MAX = 50;
const HEAD_MAX = 200;
const TAIL_MAX = 160;

export function boundWarnings(warnings: readonly string[]): string[] {
  const shown = warnings.slice(0, COUNT_MAX).map(shortened);
  const rest = warnings.length - shown.length;
  return rest === 0 ? shown : [...shown, `${rest} more ${rest === 1 ? "warning" : "warnings"}. Fix these first`];
}

/** The middle goes: the beginning names the place, the end the remedy. A letter of two halves may be cut in two. */
function shortened(warning: string): string {
  const rest = warning.length - HEAD_MAX - TAIL_MAX;
  if (rest <= 0) return warning;
  return mendText(`${warning.slice(0, HEAD_MAX)} [${rest} characters] ${warning.slice(-TAIL_MAX)}`).value;
}

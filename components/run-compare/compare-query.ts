// What the page asks for: the page on the server and the screen in the browser must ask the same.
import { CompareVerdict } from "@/server/contract/run-compare/run-comparison";

/** Rows of a page. */
export const COMPARE_ROWS = 500;
const FROM_MAX = 10_000_000;

type Shown = { verdict?: CompareVerdict | null; from?: number };

export const compareQuery = (project_id: string, two: { a: string; b: string }, { verdict, from = 0 }: Shown) => ({
  ...{ project_id, ...two, from: Math.min(FROM_MAX, Math.max(0, from)), limit: COMPARE_ROWS },
  ...(verdict && { verdict }),
});

/** From the address, as the screen reads it: what is no verdict and no number is left out. */
export function compareAsked(params: Record<string, string | string[] | undefined>) {
  const verdict = CompareVerdict.safeParse(params.verdict);
  const from = typeof params.from === "string" ? Number.parseInt(params.from, 10) : 0;
  const id = (given: string | string[] | undefined) => (typeof given === "string" && given !== "" ? given : null);
  return {
    ...{ a: id(params.a), b: id(params.b) },
    shown: { ...(verdict.success && { verdict: verdict.data }), from: Number.isNaN(from) ? 0 : from },
  };
}

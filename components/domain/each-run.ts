// Does the same to several runs, one after the other, and keeps what was refused by run. Pure but for what it is given.
import type { RunLine } from "@/server/contract/run-list";

/** What names a run to a person. */
export type RunNamed = Pick<RunLine, "root_turn_id" | "number" | "title">;

export type Refused = { line: RunNamed; message: string };

/** `act` answers why nothing was done, or null. */
export async function eachRun(
  lines: readonly RunNamed[],
  act: (line: RunNamed) => Promise<string | null>,
  onDone: (done: number) => void,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const [at, line] of lines.entries()) {
    try {
      const message = await act(line);
      if (message !== null) refused.push({ line, message });
    } catch (error) {
      refused.push({ line, message: error instanceof Error ? error.message : String(error) });
    }
    onDone(at + 1);
  }
  return refused;
}

// Writes a run that was brought along, all of it in one unit: it becomes visible at once, and what is refused leaves nothing. Ids stay.
// Nothing of it is anybody's work: heads are idle, no message waits, and what was still going on has ended.
import type { RunLine } from "@/server/contract/bundle/lines";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { refuseBeingDeleted } from "../roster/refuse-being-deleted";
import { sqlState } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import { endLines } from "./ended";
import { writeBatches } from "./write-batches";
import { writeBoxes } from "./write-boxes";
import { writeCards } from "./write-cards";
import { writeFiles } from "./write-files";
import { writePlanRuns } from "./write-plan-runs";
import { writeRoster } from "./write-roster";
import { writeRunData } from "./write-run-data";
import { writeRunRow } from "./write-run-row";
import { writeTurns } from "./write-turns";
import { type BundleSource, taken, type WriteInput, type Writing } from "./writing";

/** conflict names what is in the project with other content. */
export async function writeRun(kernel: Kernel, { project_id, source }: WriteInput): Promise<{ known: number }> {
  const ended = await endLines(kernel, { project_id, source });
  try {
    return await withUnit(
      kernel,
      async (unit) => {
        const writing: Writing = {
          unit,
          project_id,
          source,
          ended,
          cards: new Map([...source.cards, ...ended.heldCards]),
        };
        await holdImport(unit, { project_id, source });
        await writeFiles(writing);
        const cards = await writeCards(writing);
        const boxes = await writeBoxes(writing);
        const agents = await writeRoster(writing);
        await writeTurns(writing, agents.fresh);
        await writeBatches(writing);
        await writePlanRuns(writing);
        await writeRunData(writing);
        await unit.probe("bundle-before-run");
        await writeRunRow(writing, await runOf(source));
        return { known: cards + boxes + agents.known };
      },
      { statementMs: kernel.tunables.longStatementMs },
    );
  } catch (error) {
    throw refusedValue(error);
  }
}

const HOLD = "SELECT 1 FROM projects WHERE project_id = $1 FOR KEY SHARE";
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
const THERE = "SELECT 1 FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";

async function holdImport(unit: Unit, { project_id, source }: WriteInput): Promise<void> {
  const [project] = await unit.query("bundle_hold", HOLD, [project_id]);
  if (!project) throw new KernelError("not_found", `project ${project_id} not found`);
  await unit.query("bundle_lock", LOCK, [`bundle ${project_id} ${source.root_turn_id}`]);
  const [run] = await unit.query("bundle_there", THERE, [project_id, source.root_turn_id]);
  if (run) throw taken("run", source.root_turn_id);
  await refuseBeingDeleted(unit, { project_id, root_turn_id: source.root_turn_id });
}

async function runOf(source: BundleSource): Promise<RunLine> {
  for await (const line of source.lines("run.json")) return line as RunLine;
  throw new Error("a checked bundle has a run");
}

/** A value that a constraint refuses: the checks of a bundle should have named it, and say so. */
function refusedValue(error: unknown): unknown {
  if (error instanceof KernelError || !/^2[23]/.test(sqlState(error))) return error;
  const { constraint, table } = error as { constraint?: string; table?: string };
  return new KernelError(
    sqlState(error) === "23505" ? "conflict" : "bad_request",
    `the bundle holds a row of ${table ?? "a table"} that is not accepted${constraint ? ` (${constraint})` : ""}; nothing was written. Import into another project, or export the run again`,
  );
}

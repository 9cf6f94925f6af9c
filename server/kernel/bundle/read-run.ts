// A whole run as the lines of a bundle, part after part, each read in pages by key: a run of thousands of turns is never in memory.

import type { RunLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { noRun } from "../roster/no-run";
import { RUN_COLUMNS, usSql } from "./columns";
import { type Gathered, noteTimes, nothingGathered } from "./gathered";
import type { ImportedBundle, Piece, RunFacts, RunKey } from "./piece";
import { readBatches } from "./read-batches";
import { readEdges } from "./read-edges";
import { readFiles } from "./read-files";
import { readPlanRuns } from "./read-plan-runs";
import { readRoster } from "./read-roster";
import { readRunData } from "./read-run-data";
import { readSteps } from "./read-steps";
import { readStore } from "./read-store";
import { readTurns } from "./read-turns";

type Row = RunLine & { source: RunFacts["source"] };

const RUN = `
  SELECT ${columnsOf(RUN_COLUMNS, "r")}, ${usSql("r.created_at")} AS created_at, r.source
  FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2`;

/** not_found without the run. */
export async function* readRun(reader: Reader, key: RunKey, facts: RunFacts): AsyncGenerator<Piece> {
  const [row] = await read<Row>(reader, "bundle_run", RUN, [key.project_id, key.root_turn_id]);
  if (!row) throw await noRun(reader, key);
  const { source, metadata: stored, ...run } = row;
  const { bundle, ...metadata } = stored;
  const imported = bundle as ImportedBundle | undefined;
  facts.source = imported?.source ?? source;
  facts.notes = [...(imported?.notes ?? [])];
  const gathered: Gathered = nothingGathered();
  noteTimes(gathered, run.created_at);
  yield { part: "run.json", line: { ...run, metadata } };
  if (typeof metadata.transcript_box_id === "string") gathered.boxes.add(metadata.transcript_box_id);
  yield* readTurns(reader, key, gathered);
  yield* readSteps(reader, key, gathered);
  yield* readEdges(reader, key, gathered, facts);
  yield* readBatches(reader, key, gathered);
  yield* readPlanRuns(reader, key, gathered, facts);
  yield* readRunData(reader, key, gathered);
  yield* readRoster(reader, key, gathered);
  yield* readStore(reader, key, gathered, facts);
  yield* readFiles(reader, key, gathered, facts);
  facts.exported_at = gathered.changed;
}

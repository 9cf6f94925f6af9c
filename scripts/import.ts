// `npm run import -- FILE ... [--project ID]`: logs of other systems as runs. Ends with 1 when a file was refused; the
// others are imported all the same.
import fs from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type { ImportResult } from "@/server/contract/importing";
import { resolveDatabase } from "@/server/embedded/resolve-database";
import { stopIfLastUser } from "@/server/embedded/stop";
import { env } from "@/server/env";
import { importBundle } from "@/server/interop/bundle/import-bundle";
import { importRun } from "@/server/interop/importers/import-run";
import type { Kernel } from "@/server/kernel/kernel";
import { createProject } from "@/server/kernel/roster/create-project";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { migrate } from "@/server/migrate";
import { wireKernel } from "@/server/wire";

const usage = `Usage: npm run import -- FILE ... [--project ID]

Imports who-and-when logs (JSON) and run bundles (.tar.gz) as runs. Without --project they go into the project "imports", which is created if it is missing.
Importing the same file again changes nothing.`;

const defaultProject = "imports";

async function main(): Promise<number> {
  const { files, project } = readArgs();
  const database = await resolveDatabase(console.error);
  try {
    await migrate(database.url, {
      onProgress: console.error,
      mayBeOlder: env().SWITCHYARD_NEWER_DATABASE === "allow",
    });
    const kernel = wireKernel({ url: database.url, name: "switchyard-import", max: 4 });
    try {
      const project_id = await findProject(kernel, project);
      let refused = 0;
      for (const file of files) if (!(await importFile(kernel, project_id, file))) refused++;
      if (files.length > 1)
        console.log(`${files.length - refused} of ${files.length} files are in project ${project_id}`);
      return refused > 0 ? 1 : 0;
    } finally {
      await kernel.close();
    }
  } finally {
    if (database.embedded) await stopIfLastUser(database.embedded);
  }
}

function readArgs(): { files: string[]; project?: string } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { project: { type: "string", short: "p" } },
    });
    if (positionals.length > 0) return { files: positionals, project: values.project };
  } catch (error) {
    console.error(reasonOf(error));
  }
  console.error(usage);
  process.exit(2);
}

async function findProject(kernel: Kernel, asked: string | undefined): Promise<string> {
  const ids = (await listProjects(kernel)).map((project) => project.project_id);
  if (asked === undefined && !ids.includes(defaultProject))
    await createProject(kernel, { project_id: defaultProject, title: "Imports" });
  const project_id = asked ?? defaultProject;
  if (asked !== undefined && !ids.includes(asked))
    throw new Error(
      `Project ${asked} not found. Existing projects: ${ids.join(", ") || "none yet; leave --project out"}.`,
    );
  return project_id;
}

async function importFile(kernel: Kernel, project_id: string, file: string): Promise<boolean> {
  const name = path.basename(file);
  try {
    const bytes = await fs.readFile(file);
    const onProgress = ({ done, total }: { done: number; total: number }) =>
      progress(`${name}: ${done} of ${total} cards and boxes`);
    const result = isGzip(bytes)
      ? await importBundle(kernel, { project_id, bytes })
      : await importRun(kernel, { project_id, format: "who-and-when", bytes, name, onProgress });
    progress("");
    console.log(`${name}: ${summary(result)}`);
    return true;
  } catch (error) {
    progress("");
    console.error(`${name}: not imported: ${reasonOf(error)}`);
    return false;
  }
}

/** By its first bytes: a name says nothing. */
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function summary(result: ImportResult): string {
  const { turns, cards, boxes, edges, agents, root_turn_id } = result;
  const counts = `${turns} turns, ${edges} edges, ${agents} agents, ${cards} cards in ${boxes} boxes`;
  return result.is_replay ? `already imported (${counts}), run ${root_turn_id}` : `${counts}, run ${root_turn_id}`;
}

// A line that is overwritten, only for a terminal: it would fill a log file.
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

try {
  process.exitCode = await main();
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

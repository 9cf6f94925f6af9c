// A run of many turns, read out of a log: an orchestrator that calls five workers, again and again.
import { importRun } from "@/server/interop/importers/import-run";
import { createProject } from "@/server/kernel/roster/create-project";
import type { Wired } from "@/server/wire";

/** The run's root turn. */
export async function importTurns(kernel: Wired, project_id: string, turns: number): Promise<string> {
  await createProject(kernel, { project_id, title: project_id });
  const { root_turn_id } = await importRun(kernel, {
    project_id,
    format: "who-and-when",
    bytes: Buffer.from(JSON.stringify({ question: "q", history: historyOf(turns) })),
  });
  return root_turn_id;
}

export function historyOf(turns: number): { role: string; content: string }[] {
  const history = [{ role: "human", content: "begin" }];
  for (let i = 0; i < turns; i++) {
    const worker = `Worker${i % 5}`;
    history.push(
      { role: `Orchestrator (-> ${worker})`, content: `task ${i}` },
      { role: worker, content: `answer ${i}` },
    );
  }
  return history;
}

// The run that a person launches into. Imports are records of what happened elsewhere: nothing is added to them.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";

// The project's row first: it serialises launches, so that two get no equal code, and two clicks of one button.
const PROJECT = "SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE";
const RUN = `
  SELECT r.number, r.source, (SELECT count(*)::int FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.primitive = 'ui_action') AS people
  FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2`;

type RunRef = { project_id: string; into: string };

/** How many people's turns it has. Held until the unit ends. */
export async function lockRun(unit: Unit, input: RunRef): Promise<number> {
  const { project_id } = input;
  const [project] = await unit.query("launch_project", PROJECT, [project_id]);
  if (!project) throw new KernelError("not_found", `project ${project_id} not found`);
  return countPeople(unit, input);
}

/** not_found for an unknown run and for one of another project alike. */
export async function countPeople(unit: Unit, { project_id, into }: RunRef): Promise<number> {
  const values = [project_id, into];
  const [run] = await unit.query<{ number: number; source: string; people: number }>("launch_run", RUN, values);
  const detail = { path: "into" };
  if (!run) throw new KernelError("not_found", `into: run ${into} not found; give the id of a run's root turn`, detail);
  if (run.source !== "import") return run.people;
  const why = `into: run ${run.number} is an import, and nothing is added to it; leave into out to start a run`;
  throw new KernelError("conflict", why, detail);
}

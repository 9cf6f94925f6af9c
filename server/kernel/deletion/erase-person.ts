// Erases a person from a project: the contents of the cards that the person wrote, the views and drafts, and the name in rows that stay.
// In bounded units, by whoever asks for a moment and then by the watchdog: a process that dies in between loses nothing.

import type { PersonErased } from "@/server/contract/answers/person-data";
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { AGENT_COLUMNS, type AgentRow, agentFrame } from "../roster/agent-row";
import { type Unit, withUnit } from "../unit";
import type { TurnPlace } from "./close-boxes";
import { type DeletionKey, moveDeletion, type Phase } from "./deletion-row";
import { erasePersonCards } from "./erase-person-cards";
import { eraseRequests } from "./erase-requests";
import { agentOf, PARTS, pseudonymOf } from "./person-kinds";
import { readDeletion } from "./read-deletions";
import { readPersonData } from "./read-person-data";

/** `by`: who erases, as the record says it. */
export type ErasePersonInput = { project_id: string; user: string; by: string; reason: string };

const PROJECT = "SELECT 1 FROM projects WHERE project_id = $1 FOR KEY SHARE";
// While one is open, whoever asks again gets that one.
const BEGIN = `
  INSERT INTO state.deletions AS d (project_id, deletion_id, kind, subject_id, deleted_by, reason, phase)
  VALUES ($1, $2, 'person', $3, $4, $5, 'cards')
  ON CONFLICT (project_id, kind, subject_id) WHERE ended_at IS NULL DO UPDATE SET kind = d.kind RETURNING d.deletion_id`;
const LOCK = `
  SELECT d.subject_id AS user, d.phase, d.place FROM state.deletions d
  WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.kind = 'person' AND d.ended_at IS NULL FOR UPDATE SKIP LOCKED`;
const AGENT = `
  UPDATE resource.project_agents a SET display_name = $3, rev = a.rev + 1
  WHERE a.project_id = $1 AND a.agent_id = $2 AND a.is_human AND a.display_name IS DISTINCT FROM $3
  RETURNING ${columnsOf(AGENT_COLUMNS, "a")}`;
// The record of the erasing is the last that has the name.
const FORGET = "UPDATE state.deletions d SET subject_id = $3 WHERE d.project_id = $1 AND d.deletion_id = $2";

/** not_found for an unknown project. What nobody of that name put in is nothing to erase: the record then counts nothing. */
export async function erasePerson(kernel: Kernel, input: ErasePersonInput): Promise<PersonErased> {
  const { project_id, user } = input;
  refuseBadText(input.reason, "reason");
  const deletion_id = await withUnit(kernel, (unit) => begin(unit, input));
  const untilMs = Date.now() + kernel.tunables.purgeTickMs;
  await goOnErasing({ ...kernel, keyed: undefined }, { project_id, deletion_id, untilMs });
  const deletion = await readDeletion(kernel, { project_id, deletion_id });
  return { deletion, left: await readPersonData(kernel, { project_id, user }) };
}

async function begin(unit: Unit, { project_id, user, by, reason }: ErasePersonInput): Promise<string> {
  const project = await unit.query("person_project", PROJECT, [project_id]);
  if (project.length === 0)
    throw new KernelError("not_found", `project ${project_id} not found`, { path: "project_id" });
  const values = [project_id, unit.kernel.newId("del_"), user, by, reason];
  const [begun] = await unit.query<{ deletion_id: string }>("person_begin", BEGIN, values);
  if (!begun) throw new Error("a deletion was begun and none came back");
  return begun.deletion_id;
}

type Row = { user: string; phase: Phase; place: TurnPlace | null };

/** True when it is done. At least one unit is. */
export async function goOnErasing(kernel: Kernel, input: DeletionKey & { untilMs: number }): Promise<boolean> {
  const { untilMs, ...key } = input;
  for (;;) {
    const step = await withUnit(kernel, (unit) => eraseStep(unit, key));
    if (step === "held" || step === "done") return step === "done";
    // The stored requests of the cards that are erased so far.
    if (step === "requests") await eraseRequests(kernel, input);
    if (Date.now() >= untilMs) return false;
  }
}

async function eraseStep(unit: Unit, key: DeletionKey): Promise<"more" | "requests" | "held" | "done"> {
  const [row] = await unit.query<Row>("person_lock", LOCK, [key.project_id, key.deletion_id]);
  if (!row) return "held";
  if (row.phase === "requests") return "requests";
  await unit.probe(`deletion-${row.phase}`);
  const pseudonym = pseudonymOf(key.project_id, row.user);
  if (row.phase === "cards") {
    const some = await erasePersonCards(unit, { ...key, user: row.user, pseudonym, place: row.place });
    moveDeletion(unit, key, some ? { to: "requests", settles: true, ...some } : { to: "rows" });
    return some ? "requests" : "more";
  }
  return eraseRows(unit, { ...key, user: row.user, pseudonym });
}

type Person = DeletionKey & { user: string; pseudonym: string };

async function eraseRows(unit: Unit, person: Person): Promise<"more" | "done"> {
  const { project_id, deletion_id, user, pseudonym } = person;
  const key = { project_id, deletion_id };
  const agent_id = agentOf(user);
  let left = unit.kernel.tunables.purgeRowsMax;
  const gone: Record<string, number> = {};
  for (const { kind, name, text } of PARTS) {
    const n = (await unit.query(name, text, [project_id, user, agent_id, pseudonym, left])).length;
    const counter = kind === "views" || kind === "drafts" ? kind : "names";
    if (n > 0) gone[counter] = (gone[counter] ?? 0) + n;
    left -= n;
    if (left <= 0) {
      moveDeletion(unit, key, { to: "rows", counts: gone });
      return "more";
    }
  }
  const agents = await unit.query<AgentRow>("person_rename", AGENT, [project_id, agent_id, pseudonym]);
  for (const agent of agents) unit.frame(project_id, agentFrame(agent));
  await unit.query("person_forget", FORGET, [project_id, deletion_id, pseudonym]);
  moveDeletion(unit, key, { to: "done", counts: gone });
  return "done";
}

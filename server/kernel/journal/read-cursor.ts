// Where the journal stands now: read it before what it shall be true for, and frames after it complete that.
import type { Kernel } from "../kernel";
import { cursorHere, HERE, type Here } from "./cursor";

export async function readCursor(kernel: Kernel, project_id: string): Promise<string> {
  const { rows } = await kernel.db.pool.query<Here>({ name: "journal_cursor", text: `SELECT ${HERE}` });
  const [here] = rows;
  if (!here) throw new Error("a statement without FROM answered no row");
  return cursorHere(project_id, here);
}

// The current end of the journal: read it before the data it belongs to, and later frames complete that data.
import type { Kernel } from "../kernel";
import { cursorHere, HERE, type Here } from "./cursor";

export async function readCursor(kernel: Kernel, project_id: string): Promise<string> {
  const { rows } = await kernel.db.pool.query<Here>({ name: "journal_cursor", text: `SELECT ${HERE}` });
  const [here] = rows;
  if (!here) throw new Error("a statement without FROM answered no row");
  return cursorHere(project_id, here);
}

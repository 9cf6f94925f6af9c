// A person's drafts; nobody reads another's.
import { KernelError } from "@/server/contract/errors";
import type { PlanDraft } from "@/server/contract/plan/plan-record";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { DRAFT_COLUMNS, type DraftRow, draftOf } from "./plan-record-row";

const DRAFTS = `
  SELECT ${columnsOf(DRAFT_COLUMNS, "d")} FROM resource.plan_drafts d
  WHERE d.project_id = $1 AND d.user_id = $2 AND ($3::text IS NULL OR d.draft_id = $3) ORDER BY d.updated_at DESC LIMIT 200`;

/** Newest first. */
export async function listDrafts(reader: Reader, input: { project_id: string; user: string }): Promise<PlanDraft[]> {
  const rows = await read<DraftRow>(reader, "plan_drafts", DRAFTS, [input.project_id, input.user, null]);
  return rows.map(draftOf);
}

export async function readDraft(
  reader: Reader,
  input: { project_id: string; user: string; draft_id: string },
): Promise<PlanDraft> {
  const [row] = await read<DraftRow>(reader, "plan_drafts", DRAFTS, [input.project_id, input.user, input.draft_id]);
  if (!row) throw new KernelError("not_found", `draft ${input.draft_id} not found`);
  return draftOf(row);
}

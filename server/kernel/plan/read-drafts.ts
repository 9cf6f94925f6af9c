// A person's drafts; nobody reads another's. The list has lines: with their bodies, which may have 4 MiB each, one person's drafts
// were more than an answer can hold.
import { KernelError } from "@/server/contract/errors";
import { DRAFTS_MAX, type PlanDraft, type PlanDraftLine } from "@/server/contract/plan/plan-record";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import {
  DRAFT_COLUMNS,
  DRAFT_LINE_COLUMNS,
  type DraftLineRow,
  type DraftRow,
  draftLineOf,
  draftOf,
} from "./plan-record-row";

const DRAFTS = `
  SELECT ${columnsOf(DRAFT_LINE_COLUMNS, "d")}, d.body ->> 'name' AS name FROM resource.plan_drafts d
  WHERE d.project_id = $1 AND d.user_id = $2 ORDER BY d.updated_at DESC, d.draft_id LIMIT ${DRAFTS_MAX}`;
const ONE = `
  SELECT ${columnsOf(DRAFT_COLUMNS, "d")} FROM resource.plan_drafts d
  WHERE d.project_id = $1 AND d.user_id = $2 AND d.draft_id = $3`;

/** Newest first. */
export async function listDrafts(
  reader: Reader,
  input: { project_id: string; user: string },
): Promise<PlanDraftLine[]> {
  const rows = await read<DraftLineRow>(reader, "plan_drafts", DRAFTS, [input.project_id, input.user]);
  return rows.map(draftLineOf);
}

export async function readDraft(
  reader: Reader,
  input: { project_id: string; user: string; draft_id: string },
): Promise<PlanDraft> {
  const [row] = await read<DraftRow>(reader, "plan_draft", ONE, [input.project_id, input.user, input.draft_id]);
  if (!row) throw new KernelError("not_found", `draft ${input.draft_id} not found`);
  return draftOf(row);
}

// Rows of plans, their versions and drafts.
import type {
  PlanDraft,
  PlanDraftLine,
  PlanRecord,
  PlanVersion,
  PlanVersionLine,
} from "@/server/contract/plan/plan-record";

type Nulls<T> = { [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K] };
export type PlanRow = Nulls<PlanRecord> & { project_id: string };
export type VersionRow = Nulls<PlanVersion> & { project_id: string };
export type VersionLineRow = Omit<VersionRow, "body" | "layout">;
export type DraftLineRow = Omit<DraftRow, "body" | "layout"> & { name: string | null };
export type DraftRow = Nulls<Omit<PlanDraft, "user">> & { project_id: string; user_id: string };

/** All of resource.plans. */
export const PLAN_COLUMNS = [
  "project_id",
  "plan_id",
  "name",
  "description",
  "head_version",
  "archived_at",
  "created_by",
  "rev",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof PlanRow)[];

/** Of resource.plan_versions, what a list shows. */
export const VERSION_LINE_COLUMNS = [
  "project_id",
  "plan_id",
  "version",
  "sha256",
  "message",
  "created_by",
  "created_at",
] as const satisfies readonly (keyof VersionRow)[];
export const VERSION_COLUMNS = [
  ...VERSION_LINE_COLUMNS,
  "body",
  "layout",
] as const satisfies readonly (keyof VersionRow)[];

/** Of resource.plan_drafts, what a list shows. */
export const DRAFT_LINE_COLUMNS = [
  "project_id",
  "draft_id",
  "plan_id",
  "user_id",
  "base_version",
  "rev",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof DraftRow)[];
export const DRAFT_COLUMNS = [...DRAFT_LINE_COLUMNS, "body", "layout"] as const satisfies readonly (keyof DraftRow)[];

export const planOf = (row: PlanRow): PlanRecord => ({
  plan_id: row.plan_id,
  name: row.name,
  description: row.description,
  head_version: row.head_version,
  ...(row.archived_at !== null && { archived_at: iso(row.archived_at) }),
  created_by: row.created_by,
  rev: row.rev,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

export const versionLineOf = (row: VersionLineRow): PlanVersionLine => ({
  plan_id: row.plan_id,
  version: row.version,
  sha256: row.sha256,
  message: row.message,
  created_by: row.created_by,
  created_at: iso(row.created_at),
});

export const versionOf = (row: VersionRow): PlanVersion => ({
  ...versionLineOf(row),
  body: row.body,
  layout: row.layout,
});

export const draftLineOf = (row: DraftLineRow): PlanDraftLine => ({ ...draftFactsOf(row), name: row.name ?? "" });

export const draftOf = (row: DraftRow): PlanDraft => ({ ...draftFactsOf(row), body: row.body, layout: row.layout });

const draftFactsOf = (row: Omit<DraftRow, "body" | "layout">) => ({
  draft_id: row.draft_id,
  ...(row.plan_id !== null && { plan_id: row.plan_id }),
  user: row.user_id,
  ...(row.base_version !== null && { base_version: row.base_version }),
  rev: row.rev,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

const iso = (time: string): string => new Date(time).toISOString();

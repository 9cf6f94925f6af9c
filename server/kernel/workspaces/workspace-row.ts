// A workspace as it is stored.
import type { Workspace } from "@/server/contract/workspace";

export type WorkspaceRow = {
  name: string;
  kind: Workspace["kind"];
  state: Workspace["state"];
  generation: number;
  snapshot_sha256: string | null;
  files: number;
  seen: number;
  done: number;
  skipped: Record<string, number>;
  error: { code: string; message: string } | null;
  is_held: boolean;
  is_waiting: boolean;
  created_at: string;
  indexed_at: string | null;
};

/** Of `resource.workspaces w`. */
export const WORKSPACE_COLUMNS = `w.name, w.kind, w.state, w.generation, w.snapshot_sha256, w.files, w.seen, w.done, w.skipped, w.error,
  coalesce(w.lease_until > now(), false) AS is_held, w.is_waiting, w.created_at, w.indexed_at`;

/** Who was indexing has died: what it was at is reported as failed, and can be started again. */
export const toWorkspace = ({
  generation: _g,
  is_held,
  is_waiting,
  created_at,
  indexed_at,
  ...row
}: WorkspaceRow): Workspace => ({
  ...row,
  is_waiting: is_waiting && is_held,
  ...(row.state === "indexing" && !is_held && { state: "failed" as const, error: STOPPED }),
  created_at: new Date(created_at).toISOString(),
  indexed_at: indexed_at === null ? null : new Date(indexed_at).toISOString(),
});

const STOPPED = {
  code: "internal_error",
  message: "the server stopped while it indexed; index the workspace again",
};

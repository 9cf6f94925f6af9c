// The record of a deletion as it is read: it outlives what it is about, so that whoever asks for that is told.
import type { Deletion } from "@/server/contract/answers/deletions";
import { columnsOf } from "../columns";

export type DeletionRow = Omit<Deletion, "number" | "ended_at"> & {
  number: number | null;
  ended_at: string | null;
};

const DELETION_COLUMNS = [
  "deletion_id",
  "kind",
  "subject_id",
  "number",
  "deleted_by",
  "reason",
  "counts",
  "begun_at",
  "ended_at",
] as const satisfies readonly (keyof DeletionRow)[];

export const deletionColumns = columnsOf(DELETION_COLUMNS, "d");

export const toDeletion = ({ number, ended_at, begun_at, ...row }: DeletionRow): Deletion => ({
  ...row,
  ...(number !== null && { number }),
  begun_at: new Date(begun_at).toISOString(),
  ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
});

// What is being imported: one line a file, changed by what happens to it. Pure.
import { formatCount } from "@/components/ui/format";
import { IMPORT_BYTES_MAX } from "@/server/contract/bounds";
import type { ImportResult } from "@/server/contract/importing";

export type ImportItem = {
  id: number;
  file: File;
  project_id: string | null;
} & (
  | { status: "waiting" }
  | { status: "sending"; sent: number }
  /** All of it is sent; the server checks and writes. */
  | { status: "reading" }
  | { status: "done"; result: ImportResult }
  | { status: "failed"; error: string }
  | { status: "canceled" }
);

export type ImportEvent =
  | { kind: "added"; files: readonly File[]; project_id: string | null; first_id: number }
  /** A place was chosen for what waits without one. */
  | { kind: "placed"; project_id: string }
  | { kind: "sent"; id: number; bytes: number }
  | { kind: "done"; id: number; result: ImportResult }
  | { kind: "failed"; id: number; error: string }
  | { kind: "canceled"; id: number }
  | { kind: "retried"; id: number }
  | { kind: "cleared" };

export function importList(items: readonly ImportItem[], event: ImportEvent): readonly ImportItem[] {
  switch (event.kind) {
    case "added":
      return [...items, ...event.files.map((file, index) => added(file, event.project_id, event.first_id + index))];
    case "placed":
      return items.map((item) =>
        item.status === "waiting" && item.project_id === null ? { ...item, project_id: event.project_id } : item,
      );
    case "cleared":
      return items.filter((item) => isUnderWay(item));
    case "retried":
      return change(items, event.id, (item) =>
        (item.status === "failed" || item.status === "canceled") && item.file.size <= IMPORT_BYTES_MAX
          ? { ...base(item), status: "waiting" }
          : item,
      );
    case "sent":
      return change(items, event.id, (item) =>
        isOver(item)
          ? item
          : event.bytes >= item.file.size
            ? { ...base(item), status: "reading" }
            : { ...base(item), status: "sending", sent: event.bytes },
      );
    case "done":
      return change(items, event.id, (item) => ({ ...base(item), status: "done", result: event.result }));
    case "failed":
      return change(items, event.id, (item) => ({ ...base(item), status: "failed", error: event.error }));
    case "canceled":
      return change(items, event.id, (item) => (isOver(item) ? item : { ...base(item), status: "canceled" }));
  }
}

export const isOver = (item: ImportItem): boolean =>
  item.status === "done" || item.status === "failed" || item.status === "canceled";

/** "Finished" alone was said of files that the server had refused. */
export function finishedWords(items: readonly ImportItem[]): string {
  if (items.length === 0 || !items.every(isOver)) return "";
  const done = items.filter((item) => item.status === "done").length;
  return `${done === items.length ? "" : `${done} of `}${formatCount(items.length, "file")} imported.`;
}

const isUnderWay = (item: ImportItem): boolean => item.status === "sending" || item.status === "reading";

export type ReadyItem = ImportItem & { project_id: string };

/** One at a time: the server does not import faster for being asked twice. */
export function nextToSend(items: readonly ImportItem[]): ReadyItem | null {
  return items.some(isUnderWay) ? null : (items.find(isReady) ?? null);
}

const isReady = (item: ImportItem): item is ReadyItem => item.status === "waiting" && item.project_id !== null;

const base = ({ id, file, project_id }: ImportItem) => ({ id, file, project_id });

function added(file: File, project_id: string | null, id: number): ImportItem {
  if (file.size > IMPORT_BYTES_MAX)
    return {
      id,
      file,
      project_id,
      status: "failed",
      error: `The file has ${mebibytes(file.size)} MiB; an import at most ${mebibytes(IMPORT_BYTES_MAX)} MiB. It was not sent.`,
    };
  if (file.size === 0) return { id, file, project_id, status: "failed", error: "The file is empty. It was not sent." };
  return { id, file, project_id, status: "waiting" };
}

const mebibytes = (bytes: number): string => String(Math.ceil((bytes / 1_048_576) * 10) / 10);

const change = (
  items: readonly ImportItem[],
  id: number,
  to: (item: ImportItem) => ImportItem,
): readonly ImportItem[] => items.map((item) => (item.id === id ? to(item) : item));

"use client";

// One file on its way in: how far it is, what came of it, or where in the file it is wrong.
import type { ReactNode } from "react";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { formatBytes, formatCount, formatPercent } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import type { AspectStatus } from "@/components/ui/sign-words";
import type { ImportResult } from "@/server/contract/importing";
import { type ImportItem, isOver } from "./import-list";

export type ImportRowProps = {
  item: ImportItem;
  onCancel: () => void;
  onRetry: () => void;
};

export function ImportRow({ item, onCancel, onRetry }: ImportRowProps) {
  const { status, detail } = told(item);
  return (
    <li className="import-row">
      <Aspect status={status} size={15} label={null} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <b className="truncate">{item.file.name}</b>
          <span className="flex-none text-ink-3">{formatBytes(item.file.size)}</span>
        </p>
        <p className={item.status === "failed" ? "break-words text-st-failed" : "text-ink-2"}>{detail}</p>
        {item.status === "sending" ? (
          <progress
            className="import-progress"
            max={item.file.size}
            value={item.sent}
            aria-label={`Upload of ${item.file.name}`}
          />
        ) : null}
      </div>
      {item.status === "done" && item.project_id !== null ? (
        // Its address has no panel open; closing it here as well would race with the way there.
        <Link
          className="btn"
          data-size="sm"
          href={`/p/${encodeURIComponent(item.project_id)}?run=${item.result.root_turn_id}`}
        >
          Open the run
        </Link>
      ) : null}
      {item.status === "failed" || item.status === "canceled" ? (
        <Button size="sm" variant="ghost" icon="retry" onClick={onRetry}>
          Again
        </Button>
      ) : null}
      {isOver(item) ? null : (
        <IconButton icon="x" size="sm" iconSize={13} label={`Cancel ${item.file.name}`} onClick={onCancel} />
      )}
    </li>
  );
}

function told(item: ImportItem): { status: AspectStatus; detail: ReactNode } {
  switch (item.status) {
    case "waiting":
      return {
        status: "queued",
        detail: item.project_id === null ? "Not imported yet" : "Waiting for the previous file",
      };
    case "sending":
      return {
        status: "running",
        detail: `Sending, ${formatPercent(item.sent, item.file.size)}`,
      };
    case "reading":
      return { status: "running", detail: "Uploaded. The server checks and saves it" };
    case "done":
      return { status: item.result.is_replay ? "canceled" : "success", detail: outcome(item.result) };
    case "failed":
      return { status: "failed", detail: item.error };
    case "canceled":
      return { status: "canceled", detail: "Called off" };
  }
}

function outcome(result: ImportResult): string {
  const size = [
    formatCount(result.turns, "turn"),
    formatCount(result.cards, "card"),
    formatCount(result.edges, "edge"),
  ].join(", ");
  return result.is_replay ? `Already imported: ${size}. Nothing was saved` : size;
}

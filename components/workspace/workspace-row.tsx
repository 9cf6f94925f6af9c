"use client";

// One workspace: its state in words, how far an index is, and what one can do with it.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Ago } from "@/components/ui/time";
import type { Workspace } from "@/server/contract/workspace";
import { leftOut, leftOutWords, stateWords } from "./words";

export type WorkspaceRowProps = {
  projectId: string;
  workspace: Workspace;
  onChanged: () => void;
  onDelete: () => void;
};

export function WorkspaceRow({ projectId, workspace, onChanged, onDelete }: WorkspaceRowProps) {
  const trpc = useTRPC();
  const { name, kind, state, files, skipped, snapshot_sha256, indexed_at } = workspace;
  const index = useMutation(
    trpc.workspace.index.mutationOptions({
      onSuccess: () => {
        announce({ title: `Indexing ${name}` });
        onChanged();
      },
      onError: (error) => announce({ title: `${name} was not indexed`, detail: error.message, status: "failed" }),
    }),
  );
  const isFailed = state === "failed";
  return (
    <section data-row className="list-row" tabIndex={-1} aria-label={`Workspace ${name}`}>
      <span className="truncate font-semibold" title={name}>
        {name}
      </span>
      <span className="text-ink-2">{kind}</span>
      <span
        className={isFailed ? "whitespace-normal py-1 text-st-failed" : "truncate text-ink-2"}
        title={stateWords(workspace)}
      >
        {stateWords(workspace)}
      </span>
      <span className="text-right max-sm:hidden">
        {formatNumber(files)}
        <span className="sr-only"> {files === 1 ? "file" : "files"}</span>
      </span>
      <span className="text-right text-ink-2 max-sm:hidden" title={leftOutWords(skipped)}>
        {formatNumber(leftOut(skipped))}
        <span className="sr-only"> left out: {leftOutWords(skipped)}</span>
      </span>
      <span className="mono truncate text-ink-3 max-sm:hidden" title={snapshot_sha256 ?? undefined}>
        {snapshot_sha256?.slice(0, 10) ?? ""}
      </span>
      <span className="text-right text-ink-3 max-sm:hidden">
        {indexed_at === null ? "never" : <Ago at={indexed_at} />}
      </span>
      <span className="flex items-center justify-end gap-1 max-sm:ml-auto">
        {kind === "folder" ? (
          <Button
            size="sm"
            icon="retry"
            disabled={index.isPending || state === "indexing"}
            onClick={() => index.mutate({ project_id: projectId, name })}
          >
            Index again
          </Button>
        ) : null}
        <IconButton icon="trash" label={`Delete ${name}`} onClick={onDelete} />
      </span>
    </section>
  );
}

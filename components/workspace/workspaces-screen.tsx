"use client";

// The workspaces of a project: what each is read from, how far its index is, and why it failed.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListFrame } from "@/components/domain/list-frame";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { ListColumn } from "@/components/ui/list-rows";
import type { Workspace } from "@/server/contract/workspace";
import { AddWorkspace } from "./add-workspace";
import { DeleteWorkspace } from "./delete-workspace";
import { WorkspaceRow } from "./workspace-row";

const columns: readonly ListColumn[] = [
  { name: "Workspace", width: "minmax(120px,1fr)" },
  { name: "From", width: "84px" },
  { name: "State", width: "minmax(150px,1.6fr)" },
  { name: "Files", width: "84px", isRight: true },
  { name: "Left out", width: "84px", isRight: true },
  { name: "Listing", width: "96px" },
  { name: "Indexed", width: "90px", isRight: true },
  { width: "184px", isRight: true },
];

export function WorkspacesScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const [isAdding, setIsAdding] = useState(false);
  const [going, setGoing] = useState<Workspace | null>(null);
  const soon = useReadAgain(pace.soon);
  const seldom = useReadAgain(pace.seldom);
  const list = useQuery({
    ...trpc.workspace.list.queryOptions({ project_id: projectId }),
    ...patient,
    ...seldom,
    refetchInterval: (query) => (query.state.data?.items.some(isIndexing) ? soon : seldom).refetchInterval(query),
  });
  const add = (
    <Button icon="plus" onClick={() => setIsAdding(true)}>
      Add a workspace
    </Button>
  );
  return (
    <>
      <ListFrame
        title="Workspaces"
        what="list of workspaces"
        one="workspace"
        columns={columns}
        rowHeight={44}
        items={list.data?.items}
        query={list}
        none={<NoWorkspaces add={add} />}
        filters={
          <>
            <p className="text-ink-2 max-sm:hidden">Files that context packs are built from.</p>
            <span className="flex-1" />
            {add}
          </>
        }
      >
        {(items) =>
          items.map((workspace) => (
            <WorkspaceRow
              key={workspace.name}
              projectId={projectId}
              workspace={workspace}
              onChanged={() => void list.refetch()}
              onDelete={() => setGoing(workspace)}
            />
          ))
        }
      </ListFrame>
      <AddWorkspace
        projectId={projectId}
        isOpen={isAdding}
        folders={list.data?.folders ?? []}
        taken={list.data?.items ?? []}
        onAdded={() => void list.refetch()}
        onClose={() => setIsAdding(false)}
      />
      {going === null ? null : (
        <DeleteWorkspace
          projectId={projectId}
          workspace={going}
          onDeleted={() => {
            setGoing(null);
            void list.refetch();
          }}
          onClose={() => setGoing(null)}
        />
      )}
    </>
  );
}

const isIndexing = ({ state }: Workspace): boolean => state === "indexing";

function NoWorkspaces({ add }: { add: React.ReactNode }) {
  return (
    <EmptyState
      size="page"
      title="No workspaces yet"
      cause={
        <>
          A workspace is the files that a context pack is built from. Upload a git bundle or a tar, or register a folder
          of the server: its operator opens folders in <span className="mono">SWITCHYARD_WORKSPACES</span>.
        </>
      }
      remedy={add}
    />
  );
}

"use client";

// Two ways to a workspace: a folder that the operator has opened, or an upload.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Workspace } from "@/server/contract/workspace";
import { UploadForm } from "./upload-form";

export type AddWorkspaceProps = {
  projectId: string;
  isOpen: boolean;
  /** Names that the operator has opened. */
  folders: readonly string[];
  taken: readonly Workspace[];
  onAdded: () => void;
  onClose: () => void;
};

export function AddWorkspace({ projectId, isOpen, folders, taken, onAdded, onClose }: AddWorkspaceProps) {
  const trpc = useTRPC();
  const register = useMutation(
    trpc.workspace.register.mutationOptions({
      onSuccess: (_answer, { name }) => {
        announce({ title: `Indexing ${name}` });
        onAdded();
        onClose();
      },
    }),
  );
  const names = new Set(taken.map(({ name }) => name));
  const free = folders.filter((name) => !names.has(name));
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Add a workspace"
      description="Files that context packs are built from."
      width={560}
    >
      <div className="flex flex-col gap-6">
        <section aria-labelledby="workspace-folders">
          <h3 id="workspace-folders" className="font-semibold">
            A folder of the server
          </h3>
          {free.length === 0 ? (
            <p className="mt-1 text-ink-2">
              {folders.length === 0
                ? "The server has no open folders for this project."
                : "Every open folder is registered."}{" "}
              Its operator opens folders in <span className="mono">SWITCHYARD_WORKSPACES</span>.
            </p>
          ) : (
            <ul className="mt-2 flex flex-wrap gap-2">
              {free.map((name) => (
                <li key={name}>
                  <Button
                    icon="plus"
                    disabled={register.isPending}
                    onClick={() => register.mutate({ project_id: projectId, name })}
                  >
                    Register {name}
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {register.error === null ? null : (
            <p role="alert" className="mt-2 text-st-failed">
              {register.error.message}
            </p>
          )}
        </section>
        <UploadForm
          projectId={projectId}
          onDone={() => {
            onAdded();
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}

"use client";

// Removing the demo asks first: it is a project like any other, and what was launched or uploaded there goes with it. Work of one's
// own can be kept by making it an ordinary project; what was removed can be had back for half a minute on the projects page.
import { useMutation, useQuery } from "@tanstack/react-query";
import { countedText } from "@/components/domain/counted";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { formatCount } from "@/components/ui/format";
import { Skeleton } from "@/components/ui/skeleton";
import type { DemoExtras } from "@/server/contract/project";

export type RemoveDemoProps = {
  projectId: string;
  onClose: () => void;
  onRemoved: () => void;
  onKept: () => void;
};

export function RemoveDemo({ projectId, onClose, onRemoved, onKept }: RemoveDemoProps) {
  const trpc = useTRPC();
  const { data: extras, error } = useQuery(
    trpc.project.extras.queryOptions({ project_id: projectId }, { staleTime: 0 }),
  );
  const hide = useMutation(trpc.project.hide.mutationOptions({ onSuccess: onRemoved }));
  const keep = useMutation(
    trpc.project.keep.mutationOptions({
      onSuccess: () => {
        announce({ title: "The demo is an ordinary project now" });
        onKept();
      },
    }),
  );
  const isPending = hide.isPending || keep.isPending;
  const refused = hide.error ?? keep.error ?? error;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title="Remove the demo?"
      width={520}
      description="The project, its scripted runs and everything else in it are deleted. You can undo this for 30 s."
      footer={
        <>
          <Button variant="ghost" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <span className="flex-1" />
          <Button disabled={isPending} onClick={() => keep.mutate({ project_id: projectId })}>
            Keep as an ordinary project
          </Button>
          <Button
            variant="danger"
            icon="trash"
            // Until it is known what goes, nobody can mean it.
            disabled={isPending || extras === undefined}
            onClick={() => hide.mutate({ project_id: projectId })}
          >
            Remove
          </Button>
        </>
      }
    >
      {extras === undefined && error === null ? (
        <p className="flex h-[1lh] items-center" role="status" aria-label="Counting what is not the demo's">
          <Skeleton className="h-2.5 w-3/5" />
        </p>
      ) : null}
      {extras === undefined ? null : <p className="text-ink-2">{extraWords(extras)}</p>}
      {refused === null ? null : (
        <p role="alert" className="mt-2 text-st-failed">
          {refused.message}
        </p>
      )}
    </Dialog>
  );
}

function extraWords({ runs, turns, agents, cards, profiles, plans }: DemoExtras): string {
  const parts = [
    runs === 0 ? null : `${formatCount(runs, "run")} with ${countedText(turns, "turn")}`,
    agents === 0 ? null : countedText(agents, "agent"),
    cards === 0 ? null : `${countedText(cards, "card")} they wrote`,
    profiles === 0 ? null : `${formatCount(profiles, "profile")} added or changed`,
    plans === 0 ? null : `${formatCount(plans, "plan")} added or changed`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return "Nothing in it was added by people.";
  return `Not part of the demo: ${parts.join(", ")}. Keep the project to keep them.`;
}

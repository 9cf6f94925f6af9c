"use client";

// Deleting takes the name off the register; the dialog says what stays.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { formatCount } from "@/components/ui/format";
import type { ProfileSheet } from "@/server/contract/profile";

export type DeleteProfileProps = {
  profile: ProfileSheet;
  /** From when it is asked for; false = it was refused. */
  onAsked: (isAsked: boolean) => void;
  onDeleted: () => void;
  onClose: () => void;
};

export function DeleteProfile({ profile, onAsked, onDeleted, onClose }: DeleteProfileProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { project_id, name } = profile;
  const remove = useMutation(
    trpc.profile.remove.mutationOptions({
      onMutate: () => onAsked(true),
      onError: () => onAsked(false),
      onSuccess: () => {
        announce({ title: `${name} is deleted` });
        onDeleted();
        void queryClient.invalidateQueries({ queryKey: trpc.profile.lines.queryKey({ project_id }) });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      description={`${whatStays(profile.agent_count)} You can't create new agents from ${name}, and calls to it by name are refused.`}
      action="Delete profile"
      isPending={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ project_id, name })}
      onClose={onClose}
    >
      Its YAML stays in its box and in the history of every run. To restore it, save it again under the same name.
    </ConfirmDialog>
  );
}

function whatStays(agents: number): string {
  if (agents === 0) return "No agents use it.";
  return `${formatCount(agents, "agent")} made of it ${agents === 1 ? "keeps" : "keep"} it and can go on.`;
}

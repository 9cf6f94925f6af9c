"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
// The head of a plan: its name and version, and what one can do with it.
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { PlanSheet } from "@/server/contract/plan/plan-sheet";

export type PlanHeadProps = {
  projectId: string;
  plan: PlanSheet;
  onLaunch: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

export function PlanHead({ projectId, plan, onLaunch, onEdit, onDelete }: PlanHeadProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { shown, name } = plan;
  const isArchived = plan.archived_at !== undefined;
  const archive = useMutation(
    trpc.plan.archive.mutationOptions({
      onSuccess: async (changed) => {
        announce({ title: changed.archived_at === undefined ? `${name} is back in the list` : `${name} is archived` });
        await queryClient.invalidateQueries({ queryKey: trpc.plan.pathKey() });
      },
      onError: (error) => announce({ title: "Not changed", detail: error.message, status: "failed" }),
    }),
  );
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 max-sm:w-full">
        <h1 dir="auto" className="truncate text-h1">
          {name}
        </h1>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3">
          <span>
            version {shown.version}
            {shown.version === plan.head_version ? "" : ` of ${plan.head_version}`}, published{" "}
            <Ago at={shown.created_at} /> by {shown.created_by}
          </span>
          {isArchived ? <Chip>archived</Chip> : null}
        </div>
      </div>
      <span className="flex-1 max-sm:hidden" />
      <div className="flex flex-wrap items-center gap-1.5">
        <Button variant="primary" icon="launch" onClick={onLaunch}>
          Launch
        </Button>
        <Link
          className="btn"
          href={`/p/${encodeURIComponent(projectId)}/compose/${encodeURIComponent(name)}${shown.version === plan.head_version ? "" : `?v=${shown.version}`}`}
        >
          <Icon name="plans" size={15} />
          Draw
        </Link>
        <Button icon="text" onClick={onEdit}>
          Edit as text
        </Button>
        <Button
          icon="save"
          aria-disabled={archive.isPending}
          onClick={() => {
            if (!archive.isPending) archive.mutate({ project_id: projectId, name, archived: !isArchived });
          }}
        >
          {isArchived ? "Unarchive" : "Archive"}
        </Button>
        {plan.runs.length > 0 ? null : (
          <Button icon="trash" variant="danger" onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
      {plan.description === "" ? null : (
        <div className="w-full">
          <p dir="auto" className="max-w-[90ch] text-ink-2">
            {plan.description}
          </p>
        </div>
      )}
    </header>
  );
}

"use client";

// One project: its name leads into it; the menu at its end changes it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { countedText } from "@/components/domain/counted";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { formatCount } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Ago } from "@/components/ui/time";
import type { ProjectSummary } from "@/server/contract/project";
import { DeleteProject } from "./delete-project";
import { KeepRuns } from "./keep-runs";
import { RemoveDemo } from "./remove-demo";
import { RenameProject } from "./rename-project";
import { usePersonPlace } from "./use-person-place";

export type ProjectRowProps = { project: ProjectSummary; onChanged: () => void };

export function ProjectRow({ project, onChanged }: ProjectRowProps) {
  const trpc = useTRPC();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const [isKeeping, setIsKeeping] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const { project_id, title, is_demo } = project;
  const { open: openPeople } = usePersonPlace();
  const isArchived = project.status === "archived";
  const fail = (what: string) => (error: { message: string }) =>
    announce({ title: what, detail: error.message, status: "failed" });
  const archive = useMutation(
    trpc.project.update.mutationOptions({ onSuccess: onChanged, onError: fail(`${title} was not changed`) }),
  );
  return (
    <li className="project-row" data-archived={isArchived || undefined}>
      <div className="project-name">
        {isRenaming ? (
          <RenameProject
            project={project}
            onDone={() => {
              setIsRenaming(false);
              onChanged();
            }}
          />
        ) : (
          <p className="flex min-w-0 items-baseline gap-2">
            <Link href={`/p/${encodeURIComponent(project_id)}`} dir="auto" className="project-title">
              {title}
            </Link>
            {is_demo ? <Chip>demo</Chip> : null}
          </p>
        )}
        <p className="mono truncate text-ink-3">{project_id}</p>
      </div>
      <p className="project-now">
        {project.running_count > 0 ? (
          <>
            <Aspect status="running" size={14} label={null} />
            <span>{formatCount(project.running_count, "turn")} running</span>
          </>
        ) : (
          <span className="text-ink-3">idle</span>
        )}
      </p>
      <p className="project-count">
        {formatCount(project.run_count, "run")}
        <span className="text-ink-3">, {countedText(project.turn_count, "turn")}</span>
      </p>
      <p className="project-when">
        <span className="sr-only">Last activity </span>
        <Ago at={project.last_activity_at} />
      </p>
      <div className="project-actions">
        {is_demo ? (
          <Button size="sm" variant="ghost" icon="trash" aria-haspopup="dialog" onClick={() => setIsRemoving(true)}>
            Remove the demo
          </Button>
        ) : null}
        <Menu align="end" trigger={<IconButton icon="more" label={`Change ${title}`} />}>
          <MenuItem icon="text" onSelect={() => setIsRenaming(true)}>
            Rename
          </MenuItem>
          <MenuItem
            icon={isArchived ? "undo" : "save"}
            onSelect={() => archive.mutate({ project_id, status: isArchived ? "active" : "archived" })}
          >
            {isArchived ? "Restore from archive" : "Archive"}
          </MenuItem>
          <MenuItem icon="clock" onSelect={() => setIsKeeping(true)}>
            Delete old runs
          </MenuItem>
          <MenuItem icon="person" onSelect={() => openPeople(project_id)}>
            A person's data
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon="trash" isDanger onSelect={() => setIsDeleting(true)}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      {isRemoving ? (
        <RemoveDemo
          projectId={project_id}
          onClose={() => setIsRemoving(false)}
          onRemoved={onChanged}
          onKept={() => {
            setIsRemoving(false);
            onChanged();
          }}
        />
      ) : null}
      {isKeeping ? <KeepRuns project={project} onClose={() => setIsKeeping(false)} /> : null}
      {isDeleting ? (
        <DeleteProject
          project={project}
          onDone={(isDeleted) => {
            setIsDeleting(false);
            if (isDeleted) onChanged();
          }}
        />
      ) : null}
    </li>
  );
}

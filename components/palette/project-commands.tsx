"use client";

// What can be done in a project from anywhere in it, and the views of its yard that are asked for most.
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { Aspect } from "@/components/ui/aspect";
import { type CommandItem, type CommandSource, useCommands } from "@/components/ui/commands";
import { Icon } from "@/components/ui/icon";
import { usePackWith } from "@/components/ui/use-pack-with";

export function ProjectCommands({ projectId }: { projectId: string }) {
  const [, setImport] = useQueryState("import", parseAsString.withOptions({ history: "push" }));
  const packWith = usePackWith();
  const base = `/p/${encodeURIComponent(projectId)}`;
  const doSource = useMemo<CommandSource>(
    () => ({
      id: "project-do",
      group: "do",
      items: [
        {
          id: "import",
          label: "Import a run",
          icon: <Icon name="upload" />,
          words: "log file who-and-when upload drop",
          run: () => void setImport("1"),
        },
        {
          id: "pack",
          label: "Pack a box",
          icon: <Icon name="packs" />,
          words: "context recipe hand over cards order receipt",
          run: () => packWith({}),
        },
        {
          id: "build-context-pack",
          label: "Build a context pack",
          icon: <Icon name="packs" />,
          words: "goal budget tokens redact replay",
          href: `${base}/packs/new`,
        },
        {
          id: "workspaces",
          label: "Workspaces",
          icon: <Icon name="packs" />,
          words: "files folder git bundle tar upload index repository code",
          href: `${base}/packs/workspaces`,
        },
        {
          id: "compare-runs",
          label: "Compare two runs",
          icon: <Icon name="diff" />,
          words: "diff difference beside run turns regression",
          href: `${base}/compare`,
        },
        {
          id: "new-profile",
          label: "New profile",
          icon: <Icon name="profiles" />,
          words: "agent yaml",
          href: `${base}/profiles?new=1`,
        },
        {
          id: "upload-profile",
          label: "Profile from a file",
          icon: <Icon name="profiles" />,
          words: "yaml upload",
          href: `${base}/profiles?upload=1`,
        },
      ],
    }),
    [base, setImport, packWith],
  );
  const showSource = useMemo<CommandSource>(
    () => ({ id: "project-show", group: "show", items: filters(base) }),
    [base],
  );
  useCommands(doSource);
  useCommands(showSource);
  return null;
}

function filters(base: string): CommandItem[] {
  const item = (
    id: string,
    query: string,
    detail: string,
    status: Parameters<typeof Aspect>[0]["status"],
  ): CommandItem => ({
    id: `filter-${id}`,
    label: `status:${id}`,
    isMono: true,
    icon: <Aspect status={status} size={15} label={null} />,
    detail,
    words: "filter turns",
    href: `${base}?${query}`,
  });
  return [
    item("failed", "run=all&status=failed,timeout", "turns of all runs that failed or ran out of time", "failed"),
    item("running", "run=all&status=running,dispatched", "turns in progress", "running"),
    item("suspended", "run=all&status=suspended", "turns that wait for a result", "suspended"),
    item("queued", "run=all&status=queued", "turns that wait behind another of their agent", "queued"),
    item("partial", "run=all&status=partial", "turns that ended without all they should have", "partial"),
    {
      id: "open-batches",
      label: "Batches that run",
      icon: <Icon name="batches" />,
      words: "fork join board",
      href: `${base}/batches?status=running`,
    },
    {
      id: "waiting-by-target",
      label: "Waiting messages by worker target",
      icon: <Icon name="inbox" />,
      words: "inbox queue starved worker",
      href: `${base}/inbox?group=target`,
    },
    { id: "all-runs", label: "All runs", icon: <Icon name="turns" />, words: "yard", href: `${base}?run=all` },
  ];
}

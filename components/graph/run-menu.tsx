"use client";

// Which run is looked at: the newest unless the address names one, or all of them.
import { useQueryStates } from "nuqs";
import { useCallback, useState, useSyncExternalStore } from "react";
import { ExportDialog } from "@/components/domain/export-dialog";
import type { RunsDialogProps } from "@/components/domain/runs-dialog";
import { Icon } from "@/components/ui/icon";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { plainWords } from "@/components/ui/plain-words";
import type { RunFrame } from "@/server/contract/frame";
import type { LivePicture } from "./live/live-picture";
import { ALL_RUNS } from "./plan/yard-turns";
import { sourceWords } from "./run-stats";
import { useTopology, useYard } from "./yard-context";
import { yardParams } from "./yard-url";

const DeleteRunsDialog = lazyPart(
  () => import("@/components/domain/delete-runs-dialog").then((part) => part.DeleteRunsDialog),
  { missing: "The dialog could not be loaded" },
);

const RunsDialog = lazyPart<RunsDialogProps>(
  () => import("@/components/domain/runs-dialog").then((part) => part.RunsDialog),
  { missing: "The dialog could not be loaded" },
);

export function RunMenu() {
  const { live, projectId } = useYard();
  const { scope } = useTopology();
  const runs = useRuns(live);
  const [, setParams] = useQueryStates(yardParams, { history: "push" });
  const current = runs.find((run) => run.root_turn_id === scope);
  const newest = runs[0];
  const [exported, setExported] = useState<RunFrame | null>(null);
  const [again, setAgain] = useState<RunFrame | null>(null);
  const [deleted, setDeleted] = useState<RunFrame | null>(null);
  // A turn of another run would stay selected and be nowhere on the screen.
  const show = (run: string | null) => void setParams({ run, turn: null, limit: null });
  return (
    <>
      <Menu
        className="max-w-100 min-w-72"
        trigger={
          <button type="button" className="btn min-w-0 shrink" data-variant="ghost">
            <b className="flex-none text-ink">{current ? `Run ${current.number}` : "All runs"}</b>
            {current ? (
              <span dir="auto" className="max-w-56 truncate max-sm:hidden max-[1180px]:max-w-24">
                {plainWords(current.title)}
              </span>
            ) : null}
            <Icon name="down" size={13} />
          </button>
        }
      >
        <MenuLabel>Runs of this project, newest first</MenuLabel>
        {runs.map((run) => (
          <MenuItem
            key={run.id}
            icon={run.root_turn_id === scope ? "check" : run.source === "import" ? "upload" : undefined}
            detail={run.source === "launch" ? undefined : sourceWords[run.source]}
            onSelect={() => show(run.root_turn_id)}
          >
            <b dir="auto" className="mr-1.5">
              {run.number}
            </b>
            {run.title}
          </MenuItem>
        ))}
        <MenuSeparator />
        {current && current.source !== "import" ? (
          <MenuItem icon="retry" onSelect={() => setAgain(current)}>
            Run again
          </MenuItem>
        ) : null}
        {current ? (
          <MenuLink>
            <Link href={`/p/${encodeURIComponent(projectId)}/compose?like=${current.root_turn_id}`}>
              <Icon name="plans" size={15} />
              Change it, then run again
            </Link>
          </MenuLink>
        ) : null}
        {current ? (
          <MenuLink>
            <Link href={`/p/${encodeURIComponent(projectId)}/compare?b=${encodeURIComponent(current.root_turn_id)}`}>
              <Icon name="diff" size={15} />
              Compare run {current.number} with another
            </Link>
          </MenuLink>
        ) : null}
        {current ? (
          <MenuLink>
            <Link href={`/p/${encodeURIComponent(projectId)}/env?run=${current.root_turn_id}`}>
              <Icon name="database" size={15} />
              What run {current.number} shares
            </Link>
          </MenuLink>
        ) : null}
        {current ? (
          <MenuItem icon="download" onSelect={() => setExported(current)}>
            Export run {current.number}
          </MenuItem>
        ) : null}
        {current ? (
          <MenuItem icon="trash" onSelect={() => setDeleted(current)}>
            Delete run {current.number}
          </MenuItem>
        ) : null}
        <MenuItem icon={scope === ALL_RUNS ? "check" : "board"} onSelect={() => show(ALL_RUNS)}>
          All runs
        </MenuItem>
      </Menu>
      <ExportDialog
        projectId={projectId}
        runs={exported ? [exported] : []}
        isOpen={exported !== null}
        onClose={() => setExported(null)}
      />
      {again ? (
        <RunsDialog
          projectId={projectId}
          kind="again"
          lines={[again]}
          onClose={() => setAgain(null)}
          onDone={() => undefined}
        />
      ) : null}
      {deleted ? (
        <DeleteRunsDialog
          projectId={projectId}
          runs={[deleted]}
          onClose={() => setDeleted(null)}
          onDone={() => show(null)}
        />
      ) : null}
      {current && newest && newest.number > current.number ? (
        <button type="button" className="btn max-sm:hidden" data-size="sm" onClick={() => show(newest.root_turn_id)}>
          Run {newest.number} is newer
        </button>
      ) : null}
    </>
  );
}

/** The newest first; the same list for as long as nothing in it changes. */
export const runsOf = (live: LivePicture): readonly RunFrame[] => newestFirst(live.getPicture().run);

function useRuns(live: LivePicture): readonly RunFrame[] {
  const get = useCallback(() => runsOf(live), [live]);
  return useSyncExternalStore(live.subscribe, get, get);
}

/** Sorted once for each picture: the store must answer the same list while nothing changed. */
function newestFirst(runs: ReadonlyMap<string, RunFrame>): readonly RunFrame[] {
  let list = sorted.get(runs);
  if (!list) {
    list = [...runs.values()].sort((a, b) => b.number - a.number);
    sorted.set(runs, list);
  }
  return list;
}

const sorted = new WeakMap<ReadonlyMap<string, RunFrame>, readonly RunFrame[]>();

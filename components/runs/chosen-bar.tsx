"use client";

// What can be done with the chosen runs.
import { useEffect, useRef, useState } from "react";
import { DeleteRunsDialog } from "@/components/domain/delete-runs-dialog";
import { ExportDialog } from "@/components/domain/export-dialog";
import { type RunsAct, RunsDialog } from "@/components/domain/runs-dialog";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import type { RunLine } from "@/server/contract/run-list";

type ChosenBarProps = { projectId: string; lines: readonly RunLine[]; onClear: () => void };

export function ChosenBar({ projectId, lines, onClear }: ChosenBarProps) {
  const [asked, setAsked] = useState<{ kind: RunsAct; lines: readonly RunLine[] } | null>(null);
  const [exported, setExported] = useState<readonly RunLine[] | null>(null);
  const [deleted, setDeleted] = useState<readonly RunLine[] | null>(null);
  const heir = useRef<string>(undefined);
  // The bar goes with what had the focus: it goes to the first row that was chosen, or a keyboard user would start at the top again.
  useEffect(() => {
    if (heir.current === undefined || lines.length > 0 || asked !== null) return;
    document.querySelector<HTMLElement>(`[data-run="${CSS.escape(heir.current)}"] [data-row]`)?.focus();
    heir.current = undefined;
  }, [lines.length, asked]);
  const clear = () => {
    heir.current = lines[0]?.root_turn_id;
    onClear();
  };
  const open = lines.filter(({ status }) => status === "running" || status === "waiting");
  if (lines.length === 0 && asked === null && exported === null && deleted === null) return null;
  return (
    <>
      <section aria-label="Chosen runs" className="run-bar">
        <p aria-live="polite">
          {formatCount(lines.length, "run")} chosen{open.length === 0 ? "" : `, ${open.length} of them not ended`}
        </p>
        <span className="flex-1" />
        <Button
          size="sm"
          variant="danger"
          icon="stop"
          aria-haspopup="dialog"
          disabled={open.length === 0}
          title={open.length === 0 ? "The chosen runs have ended" : undefined}
          onClick={() => setAsked({ kind: "stop", lines: open })}
        >
          Stop {open.length === 0 || open.length === lines.length ? "" : `${open.length} of ${lines.length}`}
        </Button>
        <Button
          size="sm"
          icon="retry"
          aria-haspopup="dialog"
          disabled={lines.length === 0}
          onClick={() => setAsked({ kind: "again", lines })}
        >
          Run again
        </Button>
        <Button
          size="sm"
          icon="download"
          aria-haspopup="dialog"
          disabled={lines.length === 0}
          onClick={() => setExported(lines)}
        >
          Export
        </Button>
        <Button
          size="sm"
          variant="danger"
          icon="trash"
          aria-haspopup="dialog"
          disabled={lines.length === open.length}
          title={
            lines.length > 0 && lines.length === open.length
              ? "The chosen runs have not ended: stop them first"
              : undefined
          }
          onClick={() => setDeleted(lines.filter((line) => !open.includes(line)))}
        >
          Delete{" "}
          {open.length === 0 || lines.length === open.length ? "" : `${lines.length - open.length} of ${lines.length}`}
        </Button>
        <Button size="sm" variant="ghost" onClick={clear}>
          Choose none
        </Button>
      </section>
      <ExportDialog
        projectId={projectId}
        runs={exported ?? []}
        isOpen={exported !== null}
        onClose={() => setExported(null)}
      />
      {deleted === null ? null : (
        <DeleteRunsDialog projectId={projectId} runs={deleted} onClose={() => setDeleted(null)} onDone={clear} />
      )}
      {asked === null ? null : (
        <RunsDialog projectId={projectId} {...asked} onClose={() => setAsked(null)} onDone={clear} />
      )}
    </>
  );
}

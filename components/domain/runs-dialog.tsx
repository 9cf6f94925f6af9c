"use client";

// Asks before runs are stopped or run again, in the list of runs and in the yard, and lists by run what was refused.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { TextInput } from "@/components/ui/text-input";
import { eachRun, type Refused, type RunNamed } from "./each-run";

export type RunsAct = "stop" | "again";
export type RunsDialogProps = {
  projectId: string;
  kind: RunsAct;
  /** As they were when it was asked for: the list goes on living. */
  lines: readonly RunNamed[];
  onClose: () => void;
  onDone: () => void;
};

const words = {
  stop: { verb: "Stop", doing: "Stopping", done: "stopped", status: "canceled" },
  again: { verb: "Run again", doing: "Starting", done: "started again", status: "dispatched" },
} as const;

export function RunsDialog({ projectId, kind, lines, onClose, onDone }: RunsDialogProps) {
  const client = useTRPCClient();
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(0);
  const [refused, setRefused] = useState<readonly Refused[] | null>(null);
  /** The first of the new runs: where the announcement leads. */
  const first = useRef<string>(undefined);
  const { verb, doing, done: doneWord, status } = words[kind];
  const text = reason.trim();

  async function stop({ root_turn_id }: RunNamed): Promise<string | null> {
    const asked = { project_id: projectId, agent_turn_id: root_turn_id, scope: "subtree", reason: text } as const;
    const { stopped } = await client.turn.stop.mutate(asked);
    return stopped.length === 0 ? "It had ended already. Nothing was stopped." : null;
  }
  async function again({ root_turn_id }: RunNamed): Promise<string | null> {
    const made = await client.run.rerun.mutate({ project_id: projectId, root_turn_id });
    first.current ??= made.root_turn_id;
    return null;
  }

  const run = useMutation({
    mutationFn: () => eachRun(lines, kind === "stop" ? stop : again, setDone),
    retry: false,
    onSuccess: (found) => {
      const n = lines.length - found.length;
      if (n > 0)
        announce({
          title: `${formatCount(n, "run")} ${doneWord}`,
          status,
          detail: text || undefined,
          ...(first.current !== undefined && { link: linkTo(projectId, first.current, n) }),
        });
      if (found.length > 0) setRefused(found);
      else {
        onDone();
        onClose();
      }
    },
  });
  const canSend = !run.isPending && refused === null && (kind === "again" || text !== "");
  const send = () => {
    if (canSend) run.mutate();
  };
  return (
    <Dialog
      isOpen
      width={500}
      onOpenChange={(isOpen) => {
        if (!isOpen && !run.isPending) onClose();
      }}
      title={`${verb}: ${formatCount(lines.length, "run")}`}
      description={
        kind === "stop"
          ? "Each run is stopped with all turns below it. Their cards stay, and their results are kept as canceled."
          : "For each, a new run begins with fresh agents that are given the same cards, within the same limits. The old runs stay as they are."
      }
      footer={
        refused === null ? (
          <>
            <Button variant="ghost" disabled={run.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button variant={kind === "stop" ? "danger" : "primary"} disabled={!canSend} onClick={send}>
              {run.isPending
                ? `${doing} ${done + 1} of ${lines.length}`
                : `${verb} ${formatCount(lines.length, "run")}`}
            </Button>
          </>
        ) : (
          <Button
            variant="primary"
            onClick={() => {
              onDone();
              onClose();
            }}
          >
            Close
          </Button>
        )
      }
    >
      {refused === null ? (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <Names lines={lines} />
          {kind === "again" ? null : (
            <Field label="Reason" hint="Required. Kept with each turn that is stopped.">
              <TextInput
                data-autofocus
                value={reason}
                maxLength={500}
                onChange={(event) => setReason(event.target.value)}
              />
            </Field>
          )}
        </form>
      ) : (
        <div role="alert">
          <p className="mb-2">
            {formatCount(refused.length, "run")} of {lines.length} not {doneWord}:
          </p>
          <ul className="flex flex-col gap-2" aria-label={`Runs that were not ${doneWord}`}>
            {refused.map(({ line, message }) => (
              <li key={line.root_turn_id}>
                <b className="mono">{line.number}</b> {plainWords(line.title)}
                <span className="block text-st-failed">{message}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

const NAMED = 5;

const linkTo = (projectId: string, root_turn_id: string, n: number) => ({
  label: n === 1 ? "Open the new run" : "Open the first new run",
  href: `/p/${encodeURIComponent(projectId)}?run=${encodeURIComponent(root_turn_id)}`,
});

function Names({ lines }: { lines: readonly RunNamed[] }) {
  return (
    <ul className="flex flex-col gap-1 text-ink-2" aria-label="Runs">
      {lines.slice(0, NAMED).map((line) => (
        <li key={line.root_turn_id} dir="auto" className="truncate">
          <b className="mono">{line.number}</b> {plainWords(line.title)}
        </li>
      ))}
      {lines.length > NAMED ? <li>and {formatCount(lines.length - NAMED, "other")}</li> : null}
    </ul>
  );
}

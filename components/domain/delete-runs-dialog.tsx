"use client";

// Asks before runs are deleted for good, and says first what stays: cards that other runs hold too. One after the other; what was
// refused is listed by run.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { TextInput } from "@/components/ui/text-input";
import type { Counted, RunHolds, RunUsers } from "@/server/contract/answers/deletions";
import { REASON_MAX } from "@/server/contract/deletion";

export type RunToDelete = { root_turn_id: string; number: number; title: string };
export type DeleteRunsDialogProps = {
  projectId: string;
  runs: readonly RunToDelete[];
  onClose: () => void;
  /** Some are gone. */
  onDone: () => void;
};

type Refused = { run: RunToDelete; message: string };

export function DeleteRunsDialog({ projectId, runs, onClose, onDone }: DeleteRunsDialogProps) {
  const client = useTRPCClient();
  const [reason, setReason] = useState("");
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [only] = runs;
  const isOne = runs.length === 1 && only !== undefined;
  const remove = useMutation({
    mutationFn: async () => {
      const found: Refused[] = [];
      for (const run of runs) {
        const asked = { project_id: projectId, root_turn_id: run.root_turn_id, reason: reason.trim() };
        await client.run.remove.mutate(asked).catch((error: unknown) => {
          found.push({ run, message: error instanceof Error ? error.message : String(error) });
        });
      }
      return found;
    },
    retry: false,
    onSuccess: (found) => {
      const gone = runs.length - found.length;
      if (gone > 0) {
        announce({ title: `${formatCount(gone, "run")} deleted` });
        onDone();
      }
      if (found.length === 0) onClose();
      else setRefused(found);
    },
  });
  const isOver = refused.length > 0;
  const send = () => {
    if (!remove.isPending && !isOver) remove.mutate();
  };
  const name = isOne ? `run ${only.number}` : formatCount(runs.length, "run");
  return (
    <Dialog
      isOpen
      width={500}
      onOpenChange={(isOpen) => {
        if (!isOpen && !remove.isPending) onClose();
      }}
      title={isOne ? `Delete run ${only.number}?` : `Delete ${name}?`}
      description="Its turns, requests, boxes and cards are deleted for good. You can't undo this."
      footer={
        <>
          <Button variant="ghost" data-autofocus disabled={remove.isPending} onClick={onClose}>
            {isOver ? "Close" : "Cancel"}
          </Button>
          {isOver ? null : (
            <Button variant="danger" icon="trash" disabled={remove.isPending} onClick={send}>
              {remove.isPending ? "Deleting" : `Delete ${name}`}
            </Button>
          )}
        </>
      }
    >
      {isOver ? (
        <ul role="alert" aria-label="Runs that were not deleted" className="flex flex-col gap-2">
          {refused.map(({ run, message }) => (
            <li key={run.root_turn_id}>
              <b className="mono">{run.number}</b> {plainWords(run.title)}
              <span className="block text-st-failed">{message}</span>
            </li>
          ))}
        </ul>
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {isOne ? <Holds projectId={projectId} run={only} /> : <Several runs={runs} />}
          <Field label="Reason" hint="Optional. Kept with the record of the deletion.">
            <TextInput value={reason} maxLength={REASON_MAX} onChange={(event) => setReason(event.target.value)} />
          </Field>
        </form>
      )}
    </Dialog>
  );
}

const NAMED = 5;

function Several({ runs }: { runs: readonly RunToDelete[] }) {
  return (
    <>
      <ul className="flex flex-col gap-1 text-ink-2" aria-label="Runs">
        {runs.slice(0, NAMED).map((run) => (
          <li key={run.root_turn_id} dir="auto" className="truncate">
            <b className="mono">{run.number}</b> {plainWords(run.title)}
          </li>
        ))}
        {runs.length > NAMED ? <li>and {formatCount(runs.length - NAMED, "other")}</li> : null}
      </ul>
      <p className="text-ink-2">Cards that other runs or boxes hold stay. A run that has not ended is not deleted.</p>
    </>
  );
}

function Holds({ projectId, run }: { projectId: string; run: RunToDelete }) {
  const trpc = useTRPC();
  const asked = { project_id: projectId, root_turn_id: run.root_turn_id };
  const { data, error } = useQuery(trpc.run.holds.queryOptions(asked));
  if (error)
    return (
      <p role="alert" className="text-st-failed">
        {error.message}
      </p>
    );
  if (!data) return <p className="text-ink-3">Looking for what else holds its cards</p>;
  return (
    <div className="flex flex-col gap-2 text-ink-2">
      <p dir="auto">{plainWords(run.title)}</p>
      <p>
        {sum(data.turns, "turn")}, {sum(data.cards, "card")}.
        {data.live_turns > 0 ? ` ${formatCount(data.live_turns, "turn")} not ended: stop the run first.` : ""}
      </p>
      {data.shared.length === 0 && data.shared_elsewhere === 0 ? (
        <p>Nothing else holds its cards{data.is_partial ? ", as far as we looked" : ""}.</p>
      ) : (
        <ul aria-label="What stays" className="flex flex-col gap-1">
          {data.shared.map(({ root_turn_id, number, cards }) => (
            <li key={root_turn_id}>
              {formatCount(cards, "card")} {cards === 1 ? "is" : "are"} also in{" "}
              <Link className="underline" href={`/p/${encodeURIComponent(projectId)}?run=${root_turn_id}`}>
                run {number}
              </Link>{" "}
              and {cards === 1 ? "stays" : "stay"}.
            </li>
          ))}
          {data.shared_elsewhere === 0 ? null : (
            <li>{formatCount(data.shared_elsewhere, "card")} in boxes outside of runs: kept.</li>
          )}
          {data.is_partial ? <li>Not all places were looked at: there may be more.</li> : null}
        </ul>
      )}
      <UsedBy projectId={projectId} users={data.used_by} />
      <ProfilesLeft projectId={projectId} {...data.profiles_left} />
    </div>
  );
}

/** What an import brought along, and nothing else uses. */
function ProfilesLeft({ projectId, total, items }: { projectId: string } & RunHolds["profiles_left"]) {
  if (items.length === 0) return null;
  return (
    <p>
      {sum(total, "profile")} that came with this import {total.count === 1 ? "stays" : "stay"}:{" "}
      {items.slice(0, NAMED).map(({ name }, i) => (
        <span key={name} dir="auto">
          {i === 0 ? "" : ", "}
          <Link className="underline" href={`/p/${encodeURIComponent(projectId)}/profiles/${encodeURIComponent(name)}`}>
            {plainWords(name)}
          </Link>
        </span>
      ))}
      {total.count > NAMED ? ` and ${total.count - NAMED} more` : ""}. No other run uses{" "}
      {total.count === 1 ? "it" : "them"}.
    </p>
  );
}

/** What goes on in other runs and was made of this one. */
function UsedBy({ projectId, users: { forks, batches, plans } }: { projectId: string; users: RunUsers }) {
  if (forks.items.length + batches.items.length + plans.items.length === 0) return null;
  return (
    <ul aria-label="What uses this run" className="flex flex-col gap-1">
      {plans.items.length === 0 ? null : (
        <li className="text-st-failed">
          {sum(plans.total, "plan")} still running and made of this run: nodes that have not started would fail.{" "}
          <InRuns projectId={projectId} {...plans} />
        </li>
      )}
      {batches.items.length === 0 ? null : (
        <li>
          {sum(batches.total, "batch", "batches")} still running with boxes of this run.{" "}
          <InRuns projectId={projectId} {...batches} />
        </li>
      )}
      {forks.items.length === 0 ? null : (
        <li>
          {sum(forks.total, "run")} with forks of its turns. They stay, and name a turn that is no longer there.{" "}
          <InRuns projectId={projectId} {...forks} />
        </li>
      )}
    </ul>
  );
}

function InRuns({
  projectId,
  items,
}: {
  projectId: string;
  items: readonly { root_turn_id: string; number: number }[];
}) {
  const runs = [...new Map(items.map((item) => [item.root_turn_id, item.number]))];
  return (
    <>
      See{" "}
      {runs.slice(0, NAMED).map(([root, number], i) => (
        <span key={root}>
          {i === 0 ? "" : ", "}
          <Link className="underline" href={`/p/${encodeURIComponent(projectId)}?run=${root}`}>
            run {number}
          </Link>
        </span>
      ))}
      {runs.length > NAMED ? ` and ${runs.length - NAMED} more` : ""}.
    </>
  );
}

const sum = ({ count, is_more }: Counted, one: string, many?: string) =>
  `${is_more ? "more than " : ""}${formatCount(count, one, many)}`;

"use client";

// How long a project keeps its runs: for ever, or a number of days. What that number deletes is counted before it is saved.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { TextInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import type { Counted } from "@/server/contract/answers/deletions";
import { RETENTION_DAYS_MAX } from "@/server/contract/deletion";
import type { Project } from "@/server/contract/project";

export type KeepRunsProps = { project: Project; onClose: () => void };

export function KeepRuns({ project, onClose }: KeepRunsProps) {
  const trpc = useTRPC();
  const { project_id, title } = project;
  const now = useQuery(trpc.project.retention.queryOptions({ project_id }, { staleTime: 0, gcTime: 0 }));
  const [typed, setTyped] = useState<string | null>(null);
  const set = now.data?.days ?? null;
  const text = typed ?? (set === null ? "" : String(set));
  const days = daysOf(text);
  const isKnown = now.data !== undefined && days !== undefined;
  const preview = useQuery(
    trpc.project.retention.queryOptions(
      { project_id, ...(typeof days === "number" && { days }) },
      { staleTime: 0, enabled: isKnown && days !== null },
    ),
  );
  // Nobody saves a number whose effect is not on the screen.
  const isShown = isKnown && (days === null || (preview.data?.days === days && !preview.isFetching));
  const save = useMutation(
    trpc.project.keep_runs.mutationOptions({
      onSuccess: ({ days: kept }) => {
        announce({
          title: kept === null ? `${title} keeps its runs` : `${title} keeps runs for ${formatCount(kept, "day")}`,
        });
        onClose();
      },
    }),
  );
  const send = () => {
    if (isShown && !save.isPending) save.mutate({ project_id, days: days ?? null });
  };
  const fault = days === undefined ? `Enter a whole number from 1 to ${RETENTION_DAYS_MAX}.` : null;
  const error = fault ?? save.error?.message ?? now.error?.message ?? preview.error?.message ?? null;
  return (
    <Dialog
      isOpen
      width={460}
      onOpenChange={(isOpen) => {
        if (!isOpen && !save.isPending) onClose();
      }}
      title={`Delete old runs of ${title}`}
      description="Runs that ended longer ago are deleted for good, with everything that only they have."
      footer={
        <>
          <Button variant="ghost" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant={days === null ? "primary" : "danger"} disabled={!isShown || save.isPending} onClick={send}>
            {save.isPending ? "Saving" : days === null ? "Keep for ever" : "Delete older runs"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Days" hint="Leave it empty to keep runs for ever." error={error}>
          <TextInput
            data-autofocus
            inputMode="numeric"
            disabled={now.data === undefined}
            value={text}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <div aria-live="polite" className="flex flex-col gap-2 text-ink-2">
          {days === null && isKnown ? <p>No run is deleted by age.</p> : null}
          {isKnown && days !== null && !isShown ? <p className="text-ink-3">Counting runs</p> : null}
          {isShown && days !== null && preview.data ? (
            <>
              <p>
                {sum(preview.data.due, "run")} would be deleted.
                {preview.data.newest ? (
                  <>
                    {" "}
                    The newest is run <b className="mono">{preview.data.newest.number}</b>,{" "}
                    <span dir="auto">{plainWords(preview.data.newest.title)}</span>,{" "}
                    <Ago at={preview.data.newest.created_at} />.
                  </>
                ) : null}
              </p>
              {preview.data.kept.count === 0 ? null : (
                <p>
                  {sum(preview.data.kept, "older run")} would stay: something in them ended later, or has not ended.
                </p>
              )}
              <p>Imports and the demo stay. The first runs go within seconds of saving.</p>
            </>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

/** null = for ever; undefined = no number of days. */
function daysOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const days = /^\d{1,5}$/.test(trimmed) ? Number(trimmed) : 0;
  return days >= 1 && days <= RETENTION_DAYS_MAX ? days : undefined;
}

const sum = ({ count, is_more }: Counted, one: string) => `${is_more ? "more than " : ""}${formatCount(count, one)}`;

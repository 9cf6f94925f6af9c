"use client";

// The limits of the rules in this project: what each one means, what the program begins with, and what holds here.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { alarmNames } from "@/components/domain/alarm-words";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { formatCount } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { AlarmLimits } from "@/server/contract/alarm";
import { LimitField } from "./limit-field";
import { type LimitTexts, limits, limitText, patchOf, readLimit, textsOf } from "./limits-form";

type LimitsDialogProps = { projectId: string; onClose: () => void };
type State = { limits: AlarmLimits; defaults: AlarmLimits };

export function LimitsDialog({ projectId, onClose }: LimitsDialogProps) {
  const trpc = useTRPC();
  // What another person has saved meanwhile is not written over by what was read a while ago.
  const read = useQuery(trpc.alarm.limits.queryOptions({ project_id: projectId }, { staleTime: 0, gcTime: 0 }));
  return read.data === undefined ? (
    <Dialog isOpen width={640} title="Limits" description={ABOUT} onOpenChange={(isOpen) => isOpen || onClose()}>
      {read.error === null ? (
        <SkeletonRows count={8} rowHeight={56} label="Loading the limits" />
      ) : (
        <p role="alert" className="text-st-failed">
          Could not read the limits: {read.error.message} <Button onClick={() => void read.refetch()}>Try again</Button>
        </p>
      )}
    </Dialog>
  ) : (
    <Form projectId={projectId} state={read.data} onClose={onClose} />
  );
}

const ABOUT = "When a rule gives an alarm, in this project. New limits hold for what ends from now on.";

function Form({ projectId, state, onClose }: LimitsDialogProps & { state: State }) {
  const trpc = useTRPC();
  const [texts, setTexts] = useState<LimitTexts>(() => textsOf(state.limits));
  const [hasTried, setHasTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const set = useMutation(
    trpc.alarm.setLimits.mutationOptions({
      onSuccess: () => {
        announce({ title: "The limits are saved", detail: "They hold for what ends from now on.", status: "success" });
        onClose();
      },
    }),
  );
  const wrong = limits.filter((limit) => "error" in readLimit(limit, texts[limit.name]));
  const patch = patchOf(texts, state.limits, state.defaults);
  const changes = Object.keys(patch).length;
  const write = (part: Partial<LimitTexts>) => {
    setTexts({ ...texts, ...part });
    set.reset();
  };
  const save = () => {
    setHasTried(true);
    if (wrong[0]) form.current?.querySelector<HTMLElement>(`[name=${wrong[0].name}]`)?.focus();
    if (wrong.length === 0 && changes > 0 && !set.isPending) set.mutate({ project_id: projectId, ...patch });
  };
  const isAtDefault = limits.every((limit) => texts[limit.name] === limitText(limit, state.defaults));
  return (
    <Dialog
      isOpen
      width={640}
      title="Limits"
      description={ABOUT}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button
            variant="ghost"
            aria-disabled={isAtDefault || undefined}
            onClick={() => {
              if (!isAtDefault) write(textsOf(state.defaults));
            }}
          >
            All to default
          </Button>
          <span className="min-w-0 flex-1 text-note" id="limits-block" aria-live="polite">
            {set.error !== null ? (
              <span className="text-st-failed">Could not save them: {set.error.message}</span>
            ) : wrong.length > 0 ? (
              <span className="text-st-failed">{formatCount(wrong.length, "field")} to correct.</span>
            ) : (
              <span className="text-ink-2">
                {changes === 0 ? "Nothing is changed." : `${formatCount(changes, "limit")} changed.`}
              </span>
            )}
          </span>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            aria-describedby="limits-block"
            aria-disabled={wrong.length > 0 || changes === 0 || set.isPending || undefined}
            onClick={save}
          >
            {set.isPending ? "Saving" : "Save"}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className="limits"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {[...new Set(limits.map(({ rule }) => rule))].map((rule) => (
          <fieldset key={rule}>
            <legend>{alarmNames[rule]}</legend>
            {limits.flatMap((limit) =>
              limit.rule !== rule ? (
                []
              ) : (
                <LimitField
                  key={limit.name}
                  limit={limit}
                  text={texts[limit.name]}
                  defaults={state.defaults}
                  isStrict={hasTried}
                  onChange={(text) => write({ [limit.name]: text })}
                />
              ),
            )}
          </fieldset>
        ))}
        <button type="submit" className="sr-only" tabIndex={-1} aria-hidden>
          Save
        </button>
      </form>
    </Dialog>
  );
}

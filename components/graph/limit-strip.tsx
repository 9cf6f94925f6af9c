"use client";

// A run that a limit holds: which one, how many turns wait for it, and the way on. It floats, so that nothing moves when it comes.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { TextInput } from "@/components/ui/text-input";
import { holdWords, type RunHold } from "@/server/contract/run-hold";
import { useRun } from "./use-run";
import { useTopology, useYard } from "./yard-context";

export function LimitStrip({ isPhone = false }: { isPhone?: boolean }) {
  const run = useRun(useTopology().scope);
  const [asked, setAsked] = useState<RunHold | null>(null);
  const held = run?.held;
  return (
    <>
      <div role="status" className="yard-float limit-strip" data-phone={isPhone || undefined}>
        {held === undefined ? null : (
          <p className="flex items-center gap-2">
            <Icon name="warn" size={14} className="flex-none text-st-partial" />
            <span>
              {holdWords(held)}. {formatCount(held.waiting, "turn")} {held.waiting === 1 ? "waits" : "wait"}.
            </span>
            <Button size="sm" aria-haspopup="dialog" onClick={() => setAsked(held)}>
              Raise
            </Button>
          </p>
        )}
      </div>
      {asked === null || run === undefined ? null : (
        <RaiseDialog rootTurnId={run.root_turn_id} held={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

type RaiseProps = { rootTurnId: string; held: RunHold; onClose: () => void };

function RaiseDialog({ rootTurnId, held, onClose }: RaiseProps) {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const { limit, used, waiting } = held;
  const [text, setText] = useState(String(limit === "turns_max" ? used + waiting : used * 2));
  const save = useMutation(
    trpc.delegation.limits.mutationOptions({
      onSuccess: (state) => {
        const title = state.limits[limit] === undefined ? `${limit} is lifted` : `${limit} is ${state.limits[limit]}`;
        announce({ title, detail: "Turns that waited go on as far as there is room.", status: "success" });
        onClose();
      },
    }),
  );
  const value = Number(text);
  const isRight = text.trim() !== "" && value > used && (limit === "cost_max" || Number.isInteger(value));
  const send = (next: number | null) =>
    save.mutate({ project_id: projectId, root_turn_id: rootTurnId, limits: { [limit]: next } });
  return (
    <Dialog
      isOpen
      width={420}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Raise ${limit}`}
      description={`${holdWords(held)}. The turns that wait go on, the oldest first.`}
      footer={
        <>
          <Button variant="ghost" disabled={save.isPending} onClick={() => send(null)}>
            Lift it
          </Button>
          <Button variant="primary" disabled={save.isPending || !isRight} onClick={() => send(value)}>
            Raise
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight && !save.isPending) send(value);
        }}
      >
        <Field
          label={limit}
          hint={`Above ${used}, what has been used.`}
          error={save.error && `Could not change it: ${save.error.message}`}
        >
          <TextInput isMono inputMode="decimal" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}

"use client";

// Forking at a step: each message of the request is kept, replaced or dropped; the dialog says what that means before it is
// done.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Step } from "@/server/contract/turn";
import type { SeenMessage, TurnSheet } from "@/server/contract/turn-sheet";
import { cardOf } from "./fork-cards";
import { ForkRow } from "./fork-row";
import { askOf, type Choice, type Choices, followers, forkLines, refusalOf, unforkable } from "./fork-words";
import { useStepSheet } from "./step-pane";

export type ForkDialogProps = { projectId: string; sheet: TurnSheet; step: Step; onClose: () => void };

export function ForkDialog({ projectId, sheet, step, onClose }: ForkDialogProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const found = useStepSheet(projectId, sheet, step);
  const [choices, setChoices] = useState<Choices>(new Map());
  const messages = found.data?.request?.messages ?? [];
  const followed = followers(messages, choices);
  const refusal = refusalOf(choices) ?? unforkable(found.data);
  const fork = useMutation(
    trpc.turn.fork.mutationOptions({
      onSuccess(turn) {
        announce({
          title: `${turn.headcode} goes on from ${sheet.headcode} at step ${step.ordinal}`,
          status: "dispatched",
        });
        onClose();
        router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}`);
      },
    }),
  );
  const choose = (card_id: string, choice: Choice | null) =>
    setChoices((before) => {
      const next = new Map(before);
      if (choice === null) next.delete(card_id);
      else next.set(card_id, choice);
      return next;
    });
  const wholeText = async ({ text, letters }: SeenMessage, part: number) => {
    if (letters <= text.length) return text;
    const { agent_turn_id } = sheet;
    const whole = await client.turn.text.query({ project_id: projectId, agent_turn_id, step_id: step.step_id, part });
    return whole.text;
  };
  const run = () => {
    if (fork.isPending || refusal !== null) return;
    fork.mutate({
      project_id: projectId,
      agent_turn_id: sheet.agent_turn_id,
      at_step: step.step_id,
      ...askOf(messages, choices),
    });
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Fork ${sheet.headcode} at step ${step.ordinal}`}
      description="What the model saw at this step. Replace or remove messages to change it. Without changes the same request is sent again."
      width={760}
      footer={
        <>
          {refusal === null ? null : <span className="mr-auto text-ink-2">{refusal}</span>}
          <Button onClick={onClose}>Leave it</Button>
          <Button variant="primary" icon="fork" aria-disabled={fork.isPending || refusal !== null} onClick={run}>
            {fork.isPending ? "Forking" : "Fork"}
          </Button>
        </>
      }
    >
      {found.data === undefined ? (
        <SkeletonRows count={6} rowHeight={36} label="Loading the request" />
      ) : (
        <ul className="fork-rows" aria-label="Messages of the request">
          {messages.map((message, at) => {
            const card = cardOf(message);
            if (card === undefined) return null;
            return (
              <ForkRow
                key={card.card_id}
                projectId={projectId}
                message={message}
                card={card}
                place={at + 1}
                choice={choices.get(card.card_id) ?? null}
                isFollowing={followed.has(card.card_id)}
                instructionCardId={sheet.instruction_card_id}
                loadText={() => wholeText(message, at)}
                onChoose={(choice) => choose(card.card_id, choice)}
              />
            );
          })}
        </ul>
      )}
      <ul className="mt-4 flex flex-col gap-2" aria-label="What will happen">
        {forkLines(sheet, { ordinal: step.ordinal, messages }, choices).map((line) => (
          <li key={line} className="flex gap-2 leading-[1.45]">
            <span aria-hidden className="mt-[8px] h-0.5 w-2 flex-none bg-rail" />
            <span className="text-ink-2">{line}</span>
          </li>
        ))}
      </ul>
      {fork.error ? (
        <p role="alert" className="mt-3 text-st-failed">
          Could not fork it: {fork.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}

"use client";

// Why the turn waits or how it failed, next to the remedy.
import { useQuery } from "@tanstack/react-query";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code-block";
import { Icon } from "@/components/ui/icon";
import { Section } from "@/components/ui/section";
import { Ticked } from "@/components/ui/ticked";
import type { TurnFrame } from "@/server/contract/frame";
import { troubleOf } from "./turn-view";

export type TroubleNoteProps = { projectId: string; turn: TurnFrame; now: number };

export function TroubleNote({ projectId, turn, now }: TroubleNoteProps) {
  const trpc = useTRPC();
  const isWaiting = turn.status === "dispatched";
  // Only a turn that waits for a worker depends on who is there, and then the answer may change at any time.
  const taker = useQuery(
    trpc.health.taker.queryOptions(
      { project_id: projectId, agent_turn_id: turn.agent_turn_id },
      { enabled: isWaiting && !turn.is_human, ...useReadAgain(pace.often) },
    ),
  );
  const trouble = troubleOf(turn, now, taker.data);
  if (trouble === null) return null;
  const isFailure = turn.status === "failed" || turn.status === "timeout";
  return (
    <Section>
      <div className="flex gap-2 text-ink-2">
        <Icon name="warn" size={15} className={`mt-px ${isFailure ? "text-st-failed" : "text-st-partial"}`} />
        <div className="min-w-0 flex-1">
          <b className="break-words text-ink">
            <Ticked text={trouble.title} />
          </b>
          <p dir="auto" className="mt-[3px] break-words leading-[1.45]">
            <Ticked text={trouble.cause} />
          </p>
          {trouble.remedy === undefined ? null : (
            <p className="mt-1 leading-[1.45]">
              <Ticked text={trouble.remedy} />
            </p>
          )}
          {trouble.code === undefined ? null : <p className="mono mt-1 break-words text-ink-3">{trouble.code}</p>}
          {trouble.command === undefined ? null : <CodeBlock code={trouble.command} isCommand className="mt-2" />}
        </div>
      </div>
    </Section>
  );
}

"use client";

// One turn: who it is, what it does now, who called it, what it sees, what it did, what it delivered, what one can do.
import { AlarmNoteLine, countsOf } from "@/components/domain/alarm-note-line";
import { formatClock } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { useNow } from "@/components/ui/use-now";
import type { Alarm } from "@/server/contract/alarm";
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import { ActionBar } from "./action-bar";
import { type BranchName, CallChain } from "./call-chain";
import { Deliverable } from "./deliverable";
import { detailUntil } from "./detail-until";
import { InspectorHead } from "./inspector-head";
import { LateWrites } from "./late-writes";
import { SaysNow } from "./says-now";
import { StandStill } from "./stand-still";
import { Steps } from "./steps";
import type { StopTurnProps } from "./stop-turn";
import { useTurnDetail } from "./use-turn-detail";
import type { AwaitedBatch } from "./wait-note";
import { WhatItSees } from "./what-it-sees";

export type TurnInspectorProps = {
  projectId: string;
  turn: TurnFrame;
  /** How it was called for; absent for the first turn of a run. */
  edge: EdgeFrame | undefined;
  variant: "panel" | "sheet";
  /** False for an import whose log had no clock. */
  hasTimes: boolean;
  /** When the picture stands still, the time it shows. */
  pausedAt: number | null;
  /** The moment that the picture is of, where it is not now. */
  asOf: number | null;
  /** Batches it has forked and waits for. */
  awaited: readonly AwaitedBatch[];
  /** As what it is called: "B1, task 4". */
  branch: BranchName | null;
  /** About it, and not muted. The yard has them already: a note that was asked for would come later and move the rest. */
  alarms: readonly Alarm[];
  lateCount: number;
  /** How often what it asks people has changed. */
  requestRevs: number;
  getBelow: StopTurnProps["getBelow"];
  onSelect: (agentTurnId: string) => void;
  onClose: () => void;
};

export function TurnInspector(props: TurnInspectorProps) {
  const { projectId, turn, edge, hasTimes, pausedAt, variant, awaited, branch, lateCount, onSelect, onClose } = props;
  const ticking = useNow();
  const now = pausedAt ?? ticking;
  const [firstAlarm] = props.alarms;
  const { asOf } = props;
  // Of another moment it is read once, and cut: asked for anew with each state of the turn, a run that is played asked without end.
  const { detail: told, error } = useTurnDetail(projectId, asOf === null ? turn : { ...turn, rev: 0 }, lateCount);
  const detail = asOf === null ? told : told && detailUntil(told, turn, asOf);
  return (
    <>
      <InspectorHead turn={turn} detail={detail} now={now} hasTimes={hasTimes} variant={variant} onClose={onClose} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {asOf === null ? null : (
          <Section>
            <p className="text-ink-2">
              State, tokens and steps are as of {formatClock(asOf)}. Its origins, packs and actions are those of now.
            </p>
          </Section>
        )}
        <StandStill
          projectId={projectId}
          turn={turn}
          detail={detail}
          awaited={awaited}
          now={now}
          requestRevs={props.requestRevs}
        />
        {firstAlarm ? (
          <AlarmNoteLine
            projectId={projectId}
            subjectId={turn.agent_turn_id}
            first={firstAlarm}
            counts={countsOf(props.alarms)}
          />
        ) : null}
        <LateWrites turn={turn} late={detail?.late ?? []} />
        {turn.mark ? <Mistake projectId={projectId} mark={turn.mark} /> : null}
        <CallChain projectId={projectId} turn={turn} detail={detail} edge={edge} branch={branch} onSelect={onSelect} />
        {error !== null && detail === undefined ? (
          <Section>
            <p className="text-ink-2">The rest could not be loaded: {error}</p>
          </Section>
        ) : null}
        <WhatItSees projectId={projectId} turn={turn} detail={detail} />
        <Steps projectId={projectId} turn={turn} detail={detail} now={now} hasTimes={hasTimes} />
        <SaysNow projectId={projectId} turn={turn} />
        <Deliverable projectId={projectId} turn={turn} detail={detail} />
      </div>
      <ActionBar
        projectId={projectId}
        turn={turn}
        step={detail?.steps.findLast((step) => step.request_box_id !== undefined)}
        getBelow={props.getBelow}
      />
    </>
  );
}

function Mistake({ projectId, mark }: { projectId: string; mark: { card_id: string; reason: string } }) {
  return (
    <Section>
      <div className="flex gap-2 text-ink-2">
        <Icon name="flag" size={15} className="mt-px text-st-failed" />
        <div>
          <b className="text-ink">Marked as the mistake</b>
          <p dir="auto" className="mt-[3px] mb-1.5 leading-[1.45]">
            {mark.reason}
          </p>
          <Link className="link" href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(mark.card_id)}`}>
            See the card
          </Link>
        </div>
      </div>
    </Section>
  );
}

"use client";

// Why a turn stands still: what went wrong, what it asks people, and what it waits for, with what helps.
import { HumanRequests } from "./human-requests";
import { TroubleNote } from "./trouble-note";
import { WaitNote, type WaitNoteProps } from "./wait-note";

export type StandStillProps = Omit<WaitNoteProps, "hasAsked"> & {
  /** How often what it asks people has changed. */
  requestRevs: number;
};

export function StandStill({ requestRevs, ...wait }: StandStillProps) {
  const { projectId, turn, now } = wait;
  return (
    <>
      <TroubleNote projectId={projectId} turn={turn} now={now} />
      <HumanRequests
        projectId={projectId}
        agentTurnId={turn.agent_turn_id}
        revs={requestRevs}
        isAsleep={turn.status === "suspended"}
      />
      <WaitNote {...wait} hasAsked={requestRevs > 0} />
    </>
  );
}

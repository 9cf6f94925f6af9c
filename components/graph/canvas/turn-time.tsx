"use client";

// How long a turn took, or has been at it. Only a turn that runs listens to the clock.
import { formatDuration } from "@/components/ui/format";
import { partWords } from "@/components/ui/sign-words";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { elapsedMs } from "../turn-words";
import { useHasTimes } from "../use-run";
import { useYardNow } from "../yard-context";

export function TurnTime({ turn, className }: { turn: TurnFrame; className: string }) {
  const hasTimes = useHasTimes(turn.root_turn_id);
  if (!hasTimes) return null;
  if (!isEnded(turn.status)) return <Running turn={turn} className={className} />;
  const ms = elapsedMs(turn, 0);
  return ms === null ? null : (
    <span className={className} title={partWords.time}>
      {formatDuration(ms)}
    </span>
  );
}

function Running({ turn, className }: { turn: TurnFrame; className: string }) {
  const now = useYardNow();
  const ms = now === 0 ? null : elapsedMs(turn, now);
  return ms === null ? null : (
    <span className={className} title={partWords.time}>
      {formatDuration(Math.max(1000, ms))}
    </span>
  );
}

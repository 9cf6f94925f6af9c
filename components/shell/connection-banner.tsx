"use client";

// Says that live updates have stopped, why, and what happens next. It floats, so that the canvas does not jump.
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon, type IconName } from "@/components/ui/icon";
import { Clock } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";

export type ConnectionState = "live" | "stream_cut" | "server_away" | "database_away" | "writes_wait";

export type ConnectionBannerProps = {
  state: ConnectionState;
  /** When the last news came. */
  freshAt?: string;
  /** When the next try is due, in milliseconds since 1970; null while a try is under way. */
  retryAt?: number | null;
  onRetry?: () => void;
};

/** A stream that is back within this time was never away for the person who looks. */
const quietMs = 1500;

export function ConnectionBanner({ state, freshAt, retryAt = null, onRetry }: ConnectionBannerProps) {
  const [isShown, setIsShown] = useState(false);
  const isLive = state === "live";
  useEffect(() => {
    if (isLive) {
      setIsShown(false);
      return;
    }
    const timer = setTimeout(() => setIsShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [isLive]);
  if (state === "live" || !isShown) return null;
  const { title, next, icon } = words[state];
  return (
    <div role={state === "stream_cut" ? "status" : "alert"} className="connection-banner">
      <Icon name={icon} size={16} className="mt-px text-st-failed" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-2">
          {freshAt === undefined ? null : (
            <>
              What you see is as of <Clock at={freshAt} />.{" "}
            </>
          )}
          {next} <NextTry retryAt={retryAt} />
        </p>
      </div>
      {onRetry === undefined ? null : (
        <Button size="sm" onClick={onRetry}>
          Try now
        </Button>
      )}
    </div>
  );
}

/** Not announced: a count that speaks every second drowns everything else. */
function NextTry({ retryAt }: { retryAt: number | null }) {
  const now = useNow();
  if (retryAt === null) return <span aria-hidden>Trying now.</span>;
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000));
  return <span aria-hidden>{seconds === 0 ? "Trying now." : `Next try in ${seconds} s.`}</span>;
}

const words: Record<Exclude<ConnectionState, "live">, { title: string; next: string; icon: IconName }> = {
  stream_cut: {
    title: "The live stream was interrupted.",
    next: "It continues from the same place. Nothing is missed.",
    icon: "offline",
  },
  server_away: {
    title: "The server does not answer.",
    next: "Check that it is running. Workers go on without it, and the yard catches up by itself.",
    icon: "offline",
  },
  database_away: {
    title: "The database does not answer.",
    next: "Nothing can be launched or saved until it is back; the yard then catches up by itself.",
    icon: "database",
  },
  writes_wait: {
    title: "The database is not confirming writes.",
    next: "It may be waiting for a standby or a disk, or be read-only. Launching and saving may be slow or fail. The health page shows the cause.",
    icon: "database",
  },
};

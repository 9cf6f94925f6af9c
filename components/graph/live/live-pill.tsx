"use client";

// Whether the picture moves, and how much is waiting while it does not.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { formatClock, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { lazyPart } from "@/components/ui/lazy-part";
import { Clock } from "@/components/ui/time";
import { useLiveState, useYard } from "../yard-context";

const AsOfPill = lazyPart<{ className?: string }>(
  () => import("../as-of/as-of-pill").then((module) => module.AsOfPill),
  { missing: "An earlier moment could not be loaded" },
);

export function LivePill({ className = "" }: { className?: string }) {
  return useYard().isThen ? <AsOfPill className={className} /> : <NowPill className={className} />;
}

function NowPill({ className }: { className: string }) {
  const { live } = useYard();
  const { paused_at: pausedAt, new_count: newCount, status, since } = useLiveState(live);
  const trpc = useTRPC();
  const lag = useQuery(trpc.health.get.queryOptions()).data?.live_lag_s;
  if (pausedAt !== null)
    return (
      <div className={`live-pill ${className}`}>
        <span>
          <Icon name="pause" size={12} />
          <span className="max-sm:hidden">Paused at</span> {formatClock(pausedAt)}
        </span>
        <button type="button" className="live-new" onClick={live.resume} aria-label={`Resume, ${newCount} new`}>
          {formatNumber(newCount)} new
          <Kbd keys="space" />
        </button>
      </div>
    );
  return (
    <div className={`live-pill ${className}`}>
      <button
        type="button"
        onClick={live.pause}
        title={lag === undefined ? "Pause the picture" : "An open database transaction delays the live view"}
        aria-label={`${words[status]}, pause`}
      >
        <span
          aria-hidden
          className={`size-[7px] rounded-full ${status === "live" ? "bg-lamp light:shadow-[0_0_0_1.5px_var(--ink)]" : "bg-ink-3"}`}
        />
        {words[status]}
        {status === "cut" ? <Clock at={new Date(since).toISOString()} /> : null}
        {lag !== undefined && status === "live" ? `${lag} s behind` : null}
        <Icon name="pause" size={12} />
      </button>
    </div>
  );
}

const words = {
  live: "Live",
  connecting: "Connecting",
  catching_up: "Catching up",
  cut: "Disconnected since",
} as const;

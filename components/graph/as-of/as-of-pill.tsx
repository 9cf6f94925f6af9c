"use client";

// Says that the picture is of another moment, who tells it, and leads back to now.
import { useSyncExternalStore } from "react";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { useLiveState, useYard } from "../yard-context";
import { momentWords, sourceWords } from "./moment-words";

export function AsOfPill({ className = "" }: { className?: string }) {
  const { base, ways } = useYard();
  const { time, settle } = ways;
  const { at, source, isReading, error } = useSyncExternalStore(time.subscribe, time.getState, time.getState);
  const { new_count: newCount } = useLiveState(base.live);
  if (at === null) return null;
  const told = source === null ? null : sourceWords(source);
  return (
    <div className={`live-pill as-of-pill ${className}`} data-told={source?.source}>
      <span role="status">
        <Icon name="clock" size={13} />
        <span>
          <span className="max-sm:sr-only">As of </span>
          <b>{momentWords(at)}</b>
        </span>
        {error === null ? null : <span className="text-st-failed">could not be read: {error}</span>}
        {isReading ? <span className="text-ink-3">reading</span> : null}
      </span>
      {told === null ? null : (
        <span className="as-of-told" title={told.long}>
          {told.short}
          <span className="sr-only">. {told.long}</span>
        </span>
      )}
      <button type="button" className="live-new" onClick={() => settle(null)}>
        {newCount === 0 ? null : `${formatNumber(newCount)} new. `}Back to live
        <Kbd keys="esc" />
      </button>
    </div>
  );
}

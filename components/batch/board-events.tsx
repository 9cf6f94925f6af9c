"use client";

// What happened, the newest first.
import { useMemo } from "react";
import { Aspect } from "@/components/ui/aspect";
import { formatNumber } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import { eventsOf } from "./batch-events";

const shownMax = 40;

export function BoardEvents({ sheet }: { sheet: BatchSheet }) {
  const events = useMemo(() => eventsOf(sheet), [sheet]);
  return (
    <section aria-label="Events">
      <h2 className="mb-2.5 flex items-baseline font-semibold">
        Events
        <span className="flex-1" />
        <span className="font-[450] text-ink-3">
          {events.length > shownMax ? `the newest ${shownMax} of ` : ""}
          {formatNumber(events.length)}
        </span>
      </h2>
      <ol>
        {events.slice(0, shownMax).map((event) => (
          <li key={event.key} className="board-event">
            <Clock at={event.at} className="text-ink-3" />
            <Aspect status={event.status} size={13} label={null} />
            <Plate code={event.plate} tone="bare" />
            <span className="truncate text-ink-2" title={event.text}>
              {event.text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

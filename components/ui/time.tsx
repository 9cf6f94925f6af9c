"use client";

// Times as text that stay true while one looks at them. The server knows neither the reader's clock nor zone, so the
// first markup holds the width of the text and not the text.
import { formatAgo, formatClock, formatDate, formatDuration } from "./format";
import { useNow } from "./use-now";

/** "4s ago", with the full time on hover. */
export function Ago({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  return <TimeText at={at} className={className} text={now === 0 ? null : formatAgo(at, now)} width="12s ago" />;
}

/** "14:32:09" */
export function Clock({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  return <TimeText at={at} className={className} text={now === 0 ? null : formatClock(at)} width="00:00:00" />;
}

/** "3m 11s": counts on while `until` is absent. */
export function Elapsed({ since, until, className }: { since: string; until?: string | null; className?: string }) {
  const now = useNow();
  const start = new Date(since).getTime();
  if (until !== undefined && until !== null) {
    return <span className={className}>{formatDuration(new Date(until).getTime() - start)}</span>;
  }
  // Tenths that stand still between ticks look broken, so a running time counts whole seconds.
  const text = now === 0 ? null : formatDuration(Math.max(0, Math.floor((now - start) / 1000)) * 1000 || 1000);
  return (
    <span className={className} suppressHydrationWarning>
      {text ?? <span className="invisible">0m 00s</span>}
    </span>
  );
}

function TimeText({
  at,
  className,
  text,
  width,
}: {
  at: string;
  className?: string;
  text: string | null;
  width: string;
}) {
  return (
    <time
      dateTime={at}
      className={className}
      title={text === null ? undefined : `${formatDate(at)} ${formatClock(at)}`}
    >
      {text ?? <span className="invisible">{width}</span>}
    </time>
  );
}

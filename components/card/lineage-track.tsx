// The way of a card as a piece of track with a stop for each hand it went through.
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import type { Stop } from "./lineage";

const stopHeight = 46;

export function Lineage({ projectId, stops }: { projectId: string; stops: readonly Stop[] }) {
  const height = Math.max(0, stops.length - 1) * stopHeight + 24;
  return (
    <div className="grid grid-cols-[22px_minmax(0,1fr)]">
      <svg width="22" height={height} viewBox={`0 0 22 ${height}`} aria-hidden="true">
        {stops.length > 1 ? (
          <path className="lineage-track" d={`M7 10V${(stops.length - 1) * stopHeight + 10}`} />
        ) : null}
        {stops.map((stop, index) =>
          stop.kind === "redacted" ? (
            <rect
              key={stop.key}
              className="lineage-stop"
              data-kind={stop.kind}
              x="1"
              y={index * stopHeight + 4}
              width="12"
              height="12"
              rx="2"
            />
          ) : (
            <circle
              key={stop.key}
              className="lineage-stop"
              data-kind={stop.kind}
              cx="7"
              cy={index * stopHeight + 10}
              r="4.5"
            />
          ),
        )}
      </svg>
      <ol>
        {stops.map((stop, index) => (
          <li
            key={stop.key}
            className="min-w-0 overflow-hidden"
            style={{ height: index === stops.length - 1 ? 36 : stopHeight }}
          >
            <div className="flex items-center gap-1.5">
              <Title stop={stop} projectId={projectId} />
              {stop.plate === undefined ? null : <Plate code={stop.plate} />}
            </div>
            <p className="truncate text-ink-3 text-note" title={stop.detail}>
              {stop.detail}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Title({ stop, projectId }: { stop: Stop; projectId: string }) {
  const words = (
    <b className={`truncate ${stop.isMono ? "mono text-[11.5px]" : ""}`}>
      {stop.kind === "here" ? `here, in ${stop.title}` : stop.title}
    </b>
  );
  if (stop.path === undefined) return words;
  return (
    <Link href={`/p/${encodeURIComponent(projectId)}${stop.path}`} className="flex min-w-0 hover:underline">
      {words}
    </Link>
  );
}

// The face of an agent: a square tile, because only people are round.
import { type CSSProperties, memo } from "react";
import { agentMarkShape } from "./agent-mark-shape";

export type AgentMarkProps = { agentId: string; profile: string; size?: number; className?: string; label?: string };

export const AgentMark = memo(function AgentMark({ agentId, profile, size = 18, className, label }: AgentMarkProps) {
  const shape = agentMarkShape(agentId, profile);
  return (
    <svg
      className={className}
      style={{ "--tile-hue": shape.hue } as CSSProperties}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={1.9}
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      <rect className="agent-mark-tile" x="0.5" y="0.5" width="19" height="19" rx="4.5" />
      <path className="stroke-ink-3" d={shape.second} />
      <path className="stroke-ink" d={shape.main} />
      <circle className="fill-ink" cx={shape.dot.x} cy={shape.dot.y} r="2.1" />
    </svg>
  );
});

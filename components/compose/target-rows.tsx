"use client";

// What one has to know of a target before it is chosen: who it is, whether it is free, and whether a worker takes it.
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import type { AgentHit, ProfileHit } from "@/server/contract/search";

export function ProfileFacts({ hit }: { hit: ProfileHit }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-ink-3">
      <Served target={hit.worker_target} isServed={hit.is_served} />
    </span>
  );
}

export function AgentFacts({ hit }: { hit: AgentHit }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-ink-3">
      {hit.head_status === "idle" ? (
        <span className="flex-none">idle</span>
      ) : (
        <span className="flex flex-none items-center gap-1">
          <Aspect status={hit.head_status} size={13} label={null} />
          {hit.head_status}
          {hit.queued_count === 0 ? null : `, ${hit.queued_count} queued`}
        </span>
      )}
      <Served target={hit.worker_target} isServed={hit.is_served} />
    </span>
  );
}

function Served({ target, isServed }: { target: string; isServed: boolean }) {
  if (isServed) return <span className="mono truncate">{target}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1 text-st-partial">
      <Icon name="warn" size={13} />
      <span className="truncate">no worker takes {target}</span>
    </span>
  );
}

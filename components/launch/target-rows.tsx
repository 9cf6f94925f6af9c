"use client";

// What one has to know of a target before it is chosen: who it is, whether it is free, and whether a worker takes it.
import { unservedWords } from "@/components/domain/served-kinds";
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import type { AgentHit, ProfileHit } from "@/server/contract/search";

export function ProfileFacts({ hit }: { hit: ProfileHit }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-ink-3">
      <Served hit={hit} />
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
      <Served hit={hit} />
    </span>
  );
}

function Served({ hit }: { hit: AgentHit | ProfileHit }) {
  if (hit.worker_count > 0) return <span className="mono truncate">{hit.worker_target}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1 text-st-partial" title={unservedWords(hit)}>
      <Icon name="warn" size={13} />
      <span className="truncate">
        {hit.needs_own_worker ? "names no model, no worker takes it" : `no worker takes ${hit.worker_target}`}
      </span>
    </span>
  );
}

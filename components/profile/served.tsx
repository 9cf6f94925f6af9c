// The worker target of a profile, and whether anybody takes it: a launch on an untaken one only waits.
import { Icon } from "@/components/ui/icon";
import type { Health } from "@/server/contract/health";
import { isServed } from "./profile-words";

export function Served({ target, health }: { target: string; health: Health | undefined }) {
  // While the database is away nobody can report; that no worker is known then says nothing.
  const isKnown = health !== undefined && health.status !== "down";
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="mono truncate text-[11.5px]" title={target}>
        {target}
      </span>
      {isKnown && !isServed(health.workers, target) ? (
        <span className="flex flex-none items-center gap-1 text-st-partial" title={`No live worker takes ${target}`}>
          <Icon name="warn" size={13} />
          no worker
        </span>
      ) : null}
    </span>
  );
}

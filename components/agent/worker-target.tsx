"use client";

// Which workers take an agent's turns, and whether there is one: nothing runs for a target that nobody takes.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Icon } from "@/components/ui/icon";

const askAgainMs = 10_000;

export function WorkerTarget({ target, isHuman }: { target: string; isHuman: boolean }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.health.get.queryOptions(undefined, { refetchInterval: askAgainMs }));
  const isServed =
    data === undefined ||
    isHuman ||
    data.workers.some((worker) => worker.targets.includes(target) || worker.targets.includes("*"));
  if (isServed) return <span className="mono truncate">{isHuman ? "a person" : target}</span>;
  return (
    <span
      className="flex min-w-0 items-center gap-1 text-st-partial"
      title={`No worker takes turns for ${target}. Start one: SWITCHYARD_WORKER_TARGETS=${target} npm run worker`}
    >
      <Icon name="warn" size={13} />
      <span className="mono truncate">{target}</span>
      <span className="sr-only">: no worker takes its turns</span>
    </span>
  );
}

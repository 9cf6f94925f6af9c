// Which workers take an agent's turns, and whether there is one: nothing runs for a target that nobody takes.
import { unservedWords } from "@/components/domain/served-kinds";
import { Icon } from "@/components/ui/icon";
import type { AgentLine } from "@/server/contract/line";

type Props = {
  agent: Pick<AgentLine, "worker_target" | "needs_own_worker" | "is_human">;
  /** Undefined while it is not known: then only the target is shown. */
  isMissing: boolean | undefined;
};

export function WorkerTarget({ agent, isMissing }: Props) {
  const target = agent.worker_target;
  if (!isMissing) return <span className="mono truncate">{agent.is_human ? "a person" : target}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1 text-st-partial" title={unservedWords(agent)}>
      <Icon name="warn" size={13} />
      <span className="mono truncate">{target}</span>
      <span className="sr-only">: no worker takes its turns</span>
    </span>
  );
}

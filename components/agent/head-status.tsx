// What an agent does now: its state by shape, the turn it runs, and what waits behind it.
import { statusWord } from "@/components/domain/status-words";
import { Aspect } from "@/components/ui/aspect";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { lampWords } from "@/components/ui/sign-words";
import type { AgentLine } from "@/server/contract/line";

export function HeadStatus({ agent }: { agent: Pick<AgentLine, "head" | "active_turn"> }) {
  const { head, active_turn: turn } = agent;
  if (head.status === "idle") return <span className="text-ink-3">idle</span>;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Aspect status={head.status} label={null} />
      <span className="flex-none" title={lampWords[head.status]}>
        {statusWord(head.status)}
      </span>
      {turn === undefined ? null : (
        <>
          <span dir="auto" className="min-w-0 truncate text-ink-2">
            {plainWords(turn.title)}
          </span>
          <Plate code={turn.headcode} />
        </>
      )}
    </span>
  );
}

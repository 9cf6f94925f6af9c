// Who stored a key: the turn of an agent, or a person.
import { HumanMark } from "@/components/ui/human-mark";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import type { EnvSheet } from "@/server/contract/env-data";
import { userOf } from "@/server/contract/ids";

export type StoredByProps = { projectId: string; line: EnvSheet["items"][number]; isLink?: boolean };

export function StoredBy({ projectId, line, isLink = false }: StoredByProps) {
  const { turn, stored_by } = line;
  if (turn === undefined) {
    const name = userOf(stored_by);
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        {stored_by.startsWith("human_") ? <HumanMark name={name} size={16} /> : null}
        <span className="truncate">{name}</span>
      </span>
    );
  }
  const words = (
    <>
      <span className="truncate">{turn.profile_name}</span>
      <Plate code={turn.headcode} />
    </>
  );
  if (!isLink) return <span className="flex min-w-0 items-center gap-1.5">{words}</span>;
  return (
    <Link
      className="inline-flex min-w-0 items-center gap-1.5 hover:underline"
      title="Show the turn in the yard"
      href={`/p/${encodeURIComponent(projectId)}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`}
    >
      {words}
    </Link>
  );
}

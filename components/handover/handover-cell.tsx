// One card in one column of a hand-over: who speaks, its type, its first words or why it stayed behind, and its tokens.
import { formatNumber } from "@/components/ui/format";
import { RoleTag } from "@/components/ui/role-tag";
import type { HandoverRow } from "@/server/contract/handover-diff";
import type { CardLine } from "@/server/contract/line";

export type HandoverCellProps = { line: CardLine | undefined; row: HandoverRow; column: "had" | "packed" | "saw" };

export function HandoverCell({ line, row, column }: HandoverCellProps) {
  if (line === undefined) return <span className="handover-cell" data-column={column} data-empty />;
  const stayed = column === "had" && row.packed === undefined && row.saw === undefined;
  const words = stayed && row.reason !== undefined ? row.reason : line.title;
  return (
    <span className="handover-cell" data-column={column} data-stayed={stayed || undefined}>
      <RoleTag cardRole={line.role} />
      <span className="mono flex-none truncate">{line.type}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2" title={words}>
        {line.gone === undefined ? words : `(${line.gone})`}
      </span>
      <b className="flex-none font-semibold">{formatNumber(line.token_count)}</b>
    </span>
  );
}

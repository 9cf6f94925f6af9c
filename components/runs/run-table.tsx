"use client";

// The table of runs: heads that sort, rows that are chosen with x, and what can be done with the chosen ones.
import { useShortcut } from "@/components/ui/shortcuts";
import type { RunLine } from "@/server/contract/run-list";
import type { RunOrder, RunSort } from "@/server/contract/run-order";
import { runColumns } from "./run-columns";
import { RunRow } from "./run-row";
import type { Chosen } from "./use-chosen";

export type RunTableProps = {
  projectId: string;
  lines: readonly RunLine[];
  columns: readonly RunSort[];
  order: RunOrder;
  onOrder: (order: RunOrder) => void;
  chosen: Chosen;
};

export function RunTable({ projectId, lines, columns, order, onOrder, chosen }: RunTableProps) {
  useShortcut("x", "Choose the run", () => toggleFocused(false), { group: "Runs" });
  useShortcut("shift+x", "Choose all runs from the last choice on", () => toggleFocused(true), { group: "Runs" });
  useShortcut("esc", "Choose none", chosen.clear, { group: "Runs", isEnabled: chosen.ids.size > 0 });
  const toggleFocused = (isRange: boolean) => {
    const id = document.activeElement?.closest<HTMLElement>("[data-run]")?.dataset.run;
    if (id !== undefined) chosen.toggle(id, isRange);
  };
  return (
    <table aria-label="Runs" className="run-table">
      <thead>
        <tr className="list-head">
          <th scope="col">
            <span className="sr-only">Chosen</span>
          </th>
          {columns.map((column) => (
            <Head key={column} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <RunRow
            key={line.root_turn_id}
            projectId={projectId}
            line={line}
            columns={columns}
            isChosen={chosen.ids.has(line.root_turn_id)}
            onToggle={(isRange) => chosen.toggle(line.root_turn_id, isRange)}
          />
        ))}
      </tbody>
    </table>
  );
}

type HeadProps = { column: RunSort; order: RunOrder; onOrder: (order: RunOrder) => void };

function Head({ column, order, onOrder }: HeadProps) {
  const { name, isRight, title } = runColumns[column];
  const isBy = order === column || order === `-${column}`;
  const isDown = order.startsWith("-");
  return (
    <th
      scope="col"
      aria-sort={isBy ? (isDown ? "descending" : "ascending") : "none"}
      className={isRight ? "text-right" : undefined}
    >
      <button
        type="button"
        className="run-head"
        data-on={isBy || undefined}
        title={title}
        onClick={() => onOrder(nextOrder(column, order))}
      >
        {name}
        {isBy ? <span aria-hidden>{isDown ? "↓" : "↑"}</span> : null}
      </button>
    </th>
  );
}

/** What one looks for is at the top first: the most, the newest; of words, and of what stands worst, the first. */
function nextOrder(column: RunSort, order: RunOrder): RunOrder {
  if (order === column) return `-${column}`;
  if (order === `-${column}`) return column;
  return column === "title" || column === "who" || column === "status" ? column : `-${column}`;
}

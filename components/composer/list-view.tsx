"use client";

// The plan as a table in starting order: the same selection and the same operations as on the ground.
import { useRef } from "react";
import { Icon } from "@/components/ui/icon";
import { graphOf } from "@/server/contract/plan/graph";
import { nameOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { isPacked, shortTokens, tokensOf } from "./check/figures";
import { knownParts, useComposer, useIsSelected, usePlaceCheck, usePlan, useProblemsAt } from "./composer-context";
import { named } from "./draft/edits";
import { loadRowsOf, targetWords } from "./drawing/loads";

export function ListView() {
  const plan = usePlan();
  const table = useRef<HTMLTableElement>(null);
  const order = [...graphOf(plan).nodes, ...plan.nodes.filter(({ disabled }) => disabled)];
  const rows = order.flatMap((node) => [
    { place: node.id, level: 1 },
    ...(node.kind === "fork" ? node.tasks.map(({ id }) => ({ place: `${node.id}.${id}`, level: 2 })) : []),
  ]);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-yard p-4" data-panel>
      <table
        ref={table}
        className="composer-list"
        onKeyDown={(event) => {
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step === 0) return;
          const all = [...(table.current?.querySelectorAll<HTMLElement>("tbody button") ?? [])];
          const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
          event.preventDefault();
          next?.focus();
          next?.click();
        }}
      >
        <caption className="sr-only">The plan in starting order</caption>
        <thead>
          <tr>
            {["Step", "Target", "Loads", "Starts when", "Tokens", "Problems"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ place, level }) => (
            <Row key={place} place={place} level={level} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="py-3 text-ink-2">The plan has no wagon. Press N to add one.</p> : null}
    </div>
  );
}

function Row({ place, level }: { place: string; level: number }) {
  const { store } = useComposer();
  const plan = usePlan();
  const part = knownParts(plan).get(place);
  const isSelected = useIsSelected(place);
  const check = usePlaceCheck(place);
  const problems = useProblemsAt(place);
  if (!part) return null;
  const index = plan.nodes.findIndex(({ id }) => id === place);
  const node = plan.nodes[index];
  const waits = node ? [...new Set(writtenTracks(node, index).map(({ from }) => named(plan, from)))] : [];
  const starts =
    level === 2
      ? "with its fork"
      : [waits.length === 0 ? "at once" : `after ${waits.join(" and ")}`, node?.hold ? "when a person lets it" : ""]
          .filter(Boolean)
          .join(", ");
  const worst = problems.find(({ severity }) => severity === "error") ?? problems[0];
  return (
    <tr data-selected={isSelected ? "" : undefined}>
      <th scope="row" style={{ paddingInlineStart: level * 14 - 4 }}>
        <button
          type="button"
          dir="auto"
          aria-pressed={isSelected}
          className="min-h-8 w-full truncate text-left"
          onClick={() => store.select([place])}
        >
          {nameOf(part)}
          {node?.disabled ? <span className="text-ink-3"> (off)</span> : null}
        </button>
      </th>
      <td dir="auto">{"tasks" in part ? `fork of ${part.tasks.length}` : targetWords(plan, part)}</td>
      <td>{loadRowsOf(plan, place).rows.length || ""}</td>
      <td dir="auto">{starts}</td>
      <td>{check && isPacked(check) ? shortTokens(tokensOf(check)) : ""}</td>
      <td dir="auto">
        {worst ? (
          <span
            className={`flex items-center gap-1.5 ${worst.severity === "error" ? "text-st-failed" : "text-st-partial"}`}
          >
            <Icon name={worst.severity === "error" ? "x" : "warn"} size={13} />
            {worst.message}
          </span>
        ) : null}
      </td>
    </tr>
  );
}

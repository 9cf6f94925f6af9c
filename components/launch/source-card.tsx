"use client";

// One card that may be handed over: pressed it goes in or out, dragged it goes in where it is dropped.
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { RoleTag } from "@/components/ui/role-tag";
import type { Role } from "@/server/contract/card";
import { putDragged } from "./drag-data";
import { liftRow } from "./drag-image";

export type SourceCardProps = {
  cardId: string;
  role: Role;
  type: string;
  title: string;
  tokens: number;
  isIn: boolean;
  /** Inside its box: set in. */
  isNested?: boolean;
  onToggle: () => void;
};

export function SourceCard({ cardId, role, type, title, tokens, isIn, isNested = false, onToggle }: SourceCardProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isIn}
        draggable
        onDragStart={(event) => {
          putDragged(event.dataTransfer, { kind: "card", id: cardId });
          liftRow(event);
        }}
        onClick={onToggle}
        className="launch-source-row"
        data-nested={isNested || undefined}
        title={`${type}: ${title}`}
      >
        <Icon name="drag" size={12} className="text-ink-3 opacity-55" />
        <RoleTag cardRole={role} />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title === "" ? type : title}
        </span>
        <InMark isIn={isIn} />
        <span className="text-ink-3">{formatNumber(tokens)}</span>
      </button>
    </li>
  );
}

/** Keeps its place, so that rows do not move when something goes in. */
export function InMark({ isIn }: { isIn: boolean }) {
  return (
    <span className="grid w-3.5 flex-none place-items-center text-st-success">
      {isIn ? <Icon name="check" size={12} /> : <Icon name="plus" size={12} className="launch-source-plus" />}
    </span>
  );
}

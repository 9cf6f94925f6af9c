"use client";

// The rows of a list under their heads, walked with j and k. A row is whatever is marked with `data-row`, in a `.list-row`.
import { type CSSProperties, type ReactNode, useRef } from "react";
import { useRowKeys } from "./use-row-keys";
import "./list.css";

/** The heads are for the eye: what a number in a row means is said in the row. */
export type ListColumn = { name?: string; width: string; isRight?: boolean };

export type ListRowsProps = {
  columns: readonly ListColumn[];
  /** "Cards": where the help lists the keys. */
  group: string;
  /** "card" */
  one: string;
  isBusy?: boolean;
  /** The children draw their heads, which then can be pressed. */
  hasOwnHead?: boolean;
  className?: string;
  children: ReactNode;
};

export function ListRows({ columns, group, one, isBusy, hasOwnHead = false, className, children }: ListRowsProps) {
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys(rows, group, one);
  return (
    <div
      ref={rows}
      className={className}
      style={{ "--columns": columns.map((column) => column.width).join(" ") } as CSSProperties}
      aria-busy={isBusy}
    >
      {hasOwnHead ? null : (
        <div className="list-head" aria-hidden>
          {columns.map(({ name, width, isRight }) => (
            <span key={`${name} ${width}`} className={isRight ? "text-right" : undefined}>
              {name}
            </span>
          ))}
        </div>
      )}
      {children}
    </div>
  );
}

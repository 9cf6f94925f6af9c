// One section of an inspector or a facts column: a line above, a title, a note at its right.
import type { ReactNode } from "react";

export type SectionProps = { title?: string; note?: ReactNode; children: ReactNode; className?: string };

export function Section({ title, note, children, className = "" }: SectionProps) {
  return (
    <section className={`border-line border-t px-4 py-3.5 first:border-t-0 ${className}`}>
      {title === undefined ? null : (
        <header className="mb-2 flex items-baseline gap-2">
          <h2 className="font-semibold">{title}</h2>
          <span className="flex-1" />
          {note === undefined ? null : <span className="text-ink-3">{note}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

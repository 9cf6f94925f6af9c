import type { ReactNode } from "react";

export function Block({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-3 flex items-baseline gap-2 border-line-2 border-b pb-2 text-title">
        {title}
        {note ? <span className="font-[450] text-ink-3 text-note">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}

// Names and values: in a row of columns for a few short ones, in lines for longer ones.
import type { ReactNode } from "react";
import { Hinted } from "./hinted";

export type Fact = {
  name: string;
  value: ReactNode;
  /** What the name means, where it is a word of ours. */
  hint?: string;
};

/** Label above, value below, evenly spread: depth, epoch, tokens. */
export function FactColumns({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-2">
      {facts.map((fact) => (
        <div key={fact.name} className="flex flex-col gap-0.5">
          <dt className="text-ink-3 text-note">
            <Hinted words={fact.name} hint={fact.hint} />
          </dt>
          <dd className="font-semibold">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Label left, value right of it. */
export function FactLines({ facts, labelWidth = 72 }: { facts: readonly Fact[]; labelWidth?: number }) {
  return (
    <dl className="grid gap-y-2" style={{ gridTemplateColumns: `${labelWidth}px minmax(0, 1fr)` }}>
      {facts.map((fact) => (
        <div key={fact.name} className="contents">
          <dt className="text-ink-3">
            <Hinted words={fact.name} hint={fact.hint} />
          </dt>
          <dd className="min-w-0 break-words">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

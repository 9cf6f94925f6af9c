"use client";

// Two runs beside each other: what each took, and every step with what became of it.
import { Aspect } from "@/components/ui/aspect";
import { formatCost, formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { nameOf } from "@/server/contract/plan/plan-words";
import { knownParts, useComposer, usePlan } from "../composer-context";
import { comparedMarks, comparedWords } from "./compare-words";
import type { Comparison, RunFigures } from "./comparison";

export type ComparePanelProps = { comparison: Comparison; here: number; there: number };

export function ComparePanel({ comparison, here, there }: ComparePanelProps) {
  const plan = usePlan();
  const { store } = useComposer();
  const parts = knownParts(plan);
  const { places } = comparison;
  const anew = places.filter(({ verdict }) => verdict === "changed" || verdict === "here").length;
  const kept = places.filter(({ verdict }) => verdict === "same").length;
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-title">
          Run {here} beside run {there}
        </h2>
        <p className="text-ink-3">
          {anew} of {formatCount(places.length, "wagon")} ran again. Models differ by chance too.
          {kept > 0 ? " What agents read of the run's environment is not compared." : ""}
        </p>
      </header>
      <Section>
        <table className="w-full">
          <thead className="text-left text-ink-3">
            <tr>
              <th className="font-normal">It took</th>
              <th className="text-right font-normal">run {there}</th>
              <th className="text-right font-normal">run {here}</th>
            </tr>
          </thead>
          <tbody>
            {figures.map(([words, of]) => (
              <tr key={words}>
                <td className="py-0.5">{words}</td>
                <td className="text-right">{of(comparison.there)}</td>
                <td className="text-right font-semibold">{of(comparison.here)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title="Step by step">
        <ul aria-label="Steps of both runs">
          {places.map(({ place, verdict, here: mine, there: theirs }) => {
            const part = parts.get(place);
            return (
              <li key={place} className="flex items-center gap-2 py-1">
                <VerdictMark verdict={comparedMarks[verdict]} label={null} />
                <button
                  type="button"
                  dir="auto"
                  className="min-w-0 flex-1 truncate text-left hover:underline"
                  disabled={!part}
                  onClick={() => store.select([place])}
                >
                  {part ? nameOf(part) : place}
                </button>
                <span className="text-ink-3">{comparedWords[verdict]}</span>
                {verdict === "changed" && theirs ? <Aspect status={theirs.status} size={13} label={null} /> : null}
                {mine ? <Aspect status={mine.status} size={13} label={null} /> : null}
              </li>
            );
          })}
        </ul>
      </Section>
    </>
  );
}

const figures: readonly (readonly [string, (of: RunFigures) => string])[] = [
  ["turns", ({ turns }) => formatNumber(turns)],
  ["tokens", ({ tokens }) => formatNumber(tokens)],
  ["cost", ({ cost }) => (cost === null ? "not known" : formatCost(cost))],
  ["time", ({ ms }) => formatDuration(ms)],
];

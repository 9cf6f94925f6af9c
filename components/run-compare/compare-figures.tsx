// What each of two runs took, and what the second took more.
import { formatCost, formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import type { CompareFigures as Figures, RunComparison } from "@/server/contract/run-compare/run-comparison";

type Line = { name: string; of: (figures: Figures) => number | undefined; format: (value: number) => string };

const lines: readonly Line[] = [
  { name: "Turns", of: ({ turns }) => turns, format: formatNumber },
  { name: "Failed", of: ({ failed }) => failed, format: formatNumber },
  { name: "Tokens in", of: ({ tokens_in }) => tokens_in, format: formatNumber },
  { name: "Tokens out", of: ({ tokens_out }) => tokens_out, format: formatNumber },
  { name: "Cost", of: ({ cost }) => cost, format: formatCost },
  { name: "Time", of: ({ duration_ms }) => duration_ms, format: formatDuration },
];

export function CompareFigures({ a, b }: Pick<RunComparison, "a" | "b">) {
  const unpriced = a.figures.unpriced + b.figures.unpriced;
  return (
    <section className="compare-figures" aria-label="Totals">
      <dl>
        {lines.map(({ name, of, format }) => {
          const [one, other] = [of(a.figures), of(b.figures)];
          const more = one === undefined || other === undefined ? undefined : other - one;
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {one === undefined && other === undefined ? (
                  <span className="text-ink-3">not known</span>
                ) : (
                  <>
                    <span>{one === undefined ? "not known" : format(one)}</span>
                    <span aria-hidden className="text-ink-3">
                      →
                    </span>
                    <span className="sr-only">, then </span>
                    <span>{other === undefined ? "not known" : format(other)}</span>
                  </>
                )}
                {more === undefined || more === 0 ? null : (
                  <b>
                    {more < 0 ? "−" : "+"}
                    {format(Math.abs(more))}
                  </b>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {unpriced === 0 ? null : (
        <p className="text-ink-3">{formatCount(unpriced, "turn")} without a price, not in the cost</p>
      )}
      {[a, b].map((run) =>
        run.compared < run.total ? (
          <p key={run.root_turn_id} className="text-st-partial">
            Run {formatNumber(run.number)}: the first {formatNumber(run.compared)} of {formatNumber(run.total)} turns
            are compared
          </p>
        ) : null,
      )}
    </section>
  );
}

// A pack against everything that was found for it, in the length of a table cell: what is in it, what was cut, its limit.
import { formatNumber } from "@/components/ui/format";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { budgetGauge } from "./view/gauge";
import "./pack.css";

export type PackBarProps = { record: Pick<PackRecord, "estimate" | "found" | "limit"> };

export function PackBar({ record }: PackBarProps) {
  const gauge = budgetGauge({ sections: [{ key: "all", tokens: record.estimate }], record });
  return (
    <span
      className="cpack-gauge cpack-gauge-small"
      role="img"
      aria-label={gaugeLabel(record)}
      title={gaugeLabel(record)}
    >
      {gauge.parts.map(({ key, left, width }) => (
        <i key={key} data-part={4} style={{ left: `${left}%`, width: `${width}%` }} />
      ))}
      {gauge.cut === null ? null : <i data-cut style={{ left: `${gauge.cut.left}%`, width: `${gauge.cut.width}%` }} />}
      <b style={{ left: `${gauge.limitAt}%` }} />
    </span>
  );
}

export const gaugeLabel = ({ estimate, found, limit }: PackBarProps["record"]): string =>
  `${formatNumber(estimate)} tokens of at most ${formatNumber(limit)}; ${formatNumber(found)} found`;

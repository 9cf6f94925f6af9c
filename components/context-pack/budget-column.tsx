"use client";

// The left column of a pack: what it weighs, against everything that was found, and which section takes how much.
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { Holders } from "./holders";
import { gaugeLabel } from "./pack-bar";
import { budgetGauge } from "./view/gauge";
import type { PackSection } from "./view/pack-document";
import type { SectionKey } from "./view/sections";

export type BudgetColumnProps = {
  projectId: string;
  record: PackRecord;
  sections: readonly PackSection[];
  /** Leads to it in the document. */
  onShow: (key: SectionKey) => void;
};

export function BudgetColumn({ projectId, record, sections, onShow }: BudgetColumnProps) {
  const { estimate, found, limit, profile } = record;
  const gauge = budgetGauge({ sections, record });
  const isLate = gauge.limitAt > 70;
  return (
    <section aria-label="Budget" className="cpack-budget" data-part="budget">
      <p className="flex items-baseline gap-2">
        <span className="cpack-number">{formatNumber(estimate)}</span>
        <span className="text-ink-2">tokens, {formatNumber(limit - estimate)} to spare</span>
      </p>
      <div className="my-3">
        <p
          className="cpack-limit"
          style={isLate ? { right: `${100 - gauge.limitAt}%` } : { left: `${gauge.limitAt}%` }}
          data-late={isLate || undefined}
        >
          budget {formatNumber(limit)}
        </p>
        <div className="cpack-gauge" role="img" aria-label={gaugeLabel(record)}>
          {gauge.parts.map(({ key, left, width }, at) => (
            <i key={key} data-part={at} style={{ left: `${left}%`, width: `${width}%` }} />
          ))}
          {gauge.cut === null ? null : (
            <i data-cut style={{ left: `${gauge.cut.left}%`, width: `${gauge.cut.width}%` }} />
          )}
          <b style={{ left: `${gauge.limitAt}%` }} />
        </div>
        <p className="mt-1.5 flex justify-between text-ink-3 text-note">
          <span>0</span>
          <span>{found > limit ? `found ${formatNumber(found)}` : `all ${formatNumber(found)} found fit`}</span>
        </p>
      </div>
      <ul>
        {sections.map(({ key, label, tokens, lines, shortened, dropped }, at) => (
          <li key={key}>
            <button type="button" className="cpack-section-row" onClick={() => onShow(key)}>
              <span aria-hidden className="cpack-swatch" data-part={at} />
              <span>{label}</span>
              <span className="flex items-center gap-1 text-ink-3 text-note">
                {shortened + dropped > 0 ? <Icon name="cut" size={12} /> : null}
                {lines.length - dropped}
                <span className="sr-only">
                  {" "}
                  items{shortened > 0 ? `, ${shortened} shortened` : ""}
                  {dropped > 0 ? `, ${dropped} left out` : ""}
                </span>
              </span>
              <b className="text-right font-semibold">
                {formatNumber(tokens)}
                <span className="sr-only"> tokens</span>
              </b>
            </button>
          </li>
        ))}
      </ul>
      <p className="border-line-2 border-t py-2 text-ink-3 text-note">
        Budget of the profile {profile}. Sections share the total by their bytes.
      </p>
      <Holders projectId={projectId} pack={record.sha256} />
    </section>
  );
}

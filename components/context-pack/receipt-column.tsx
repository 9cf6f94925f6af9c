"use client";

// The right column of a pack: how much of what was found it has, what was trimmed and in which order, what was redacted, where
// its inputs disagree, and what it is rebuilt from.
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { ReplayFacts } from "./replay-facts";
import { TRIM_STEPS, type TrimReceipt, trimReceipt } from "./view/receipt";
import { sourceWords } from "./view/source-words";
import { conflictWords, warningWords } from "./view/words";

export type ReceiptColumnProps = { projectId: string; record: PackRecord; sidecar: Sidecar };

export function ReceiptColumn({ projectId, record, sidecar }: ReceiptColumnProps) {
  return (
    <aside aria-label="Receipt" className="cpack-receipt" data-part="receipt">
      <Candidates counts={record.counts} />
      <Trims receipt={trimReceipt({ sidecar, record })} />
      <Redactions redactions={sidecar.redactions} total={record.counts.redactions} />
      {sidecar.conflicts.length === 0 ? null : <Conflicts projectId={projectId} sidecar={sidecar} />}
      {sidecar.warnings.length === 0 ? null : <Warnings warnings={sidecar.warnings} />}
      <ReplayFacts projectId={projectId} record={record} sidecar={sidecar} />
    </aside>
  );
}

function Candidates({ counts: { whole, shortened, left_out } }: { counts: PackRecord["counts"] }) {
  const all = whole + shortened + left_out;
  const parts = [
    { kind: "whole", count: whole, word: "whole" },
    { kind: "cut", count: shortened, word: "shortened" },
    { kind: "out", count: left_out, word: "left out" },
  ].filter(({ count }) => count > 0);
  return (
    <Section title={formatCount(all, "candidate")}>
      {all === 0 ? (
        <p className="text-ink-3">No documents, files, artifacts, inputs or decisions were given.</p>
      ) : (
        <ul className="flex gap-0.5">
          {parts.map(({ kind, count, word }) => (
            <li key={kind} className="min-w-14" style={{ flex: count }}>
              <span className="cpack-flow" data-kind={kind}>
                {formatNumber(count)}
              </span>
              <span className="text-ink-2 text-note">{word}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Trims({ receipt: { steps, saved, unneededFrom } }: { receipt: TrimReceipt }) {
  if (steps.length === 0)
    return (
      <Section title="Trimmed, in order" note="0">
        <p className="text-ink-3">Nothing. Everything that was found fits.</p>
      </Section>
    );
  return (
    <Section title="Trimmed, in order" note={`−${formatNumber(saved)}`}>
      <ol>
        {steps.map(({ step, title, detail, tokens }) => (
          <li key={step} className="cpack-trim">
            <span className="cpack-mark">{step}</span>
            <span className="min-w-0">
              {title}
              <span dir="auto" className="block break-words text-ink-3 text-note">
                {detail}
              </span>
            </span>
            <b className="text-right font-semibold">
              −{formatNumber(tokens)}
              <span className="sr-only"> tokens</span>
            </b>
          </li>
        ))}
        {unneededFrom === null ? null : (
          <li className="cpack-trim text-ink-3">
            <span className="cpack-mark">{unneededFrom}</span>
            <span>
              {unneededFrom === TRIM_STEPS
                ? `Step ${TRIM_STEPS} was not needed`
                : `Steps ${unneededFrom} to ${TRIM_STEPS} were not needed`}
            </span>
          </li>
        )}
      </ol>
    </Section>
  );
}

function Redactions({ redactions, total }: { redactions: Sidecar["redactions"]; total: number }) {
  return (
    <Section title="Redacted before trimming" note={formatNumber(total)}>
      {redactions.length === 0 ? null : (
        <ul>
          {redactions.map(({ pointer, kind, count }) => (
            <li key={`${kind} ${pointer}`} className="flex min-h-6 items-center gap-1.5">
              <VerdictMark verdict="redacted" label={null} />
              <span className="flex-none">
                {kind.replaceAll("_", " ")}
                {count > 1 ? ` × ${count}` : ""}
              </span>
              <span className="mono ml-auto min-w-0 break-all text-right text-[10.5px] text-ink-2">{pointer}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-ink-3">Scanned again after trimming: nothing left.</p>
    </Section>
  );
}

function Conflicts({ projectId, sidecar }: { projectId: string; sidecar: Sidecar }) {
  const { conflicts, sources } = sidecar;
  return (
    <Section title="Where inputs disagree" note={formatNumber(conflicts.length)}>
      <ul className="flex flex-col gap-1.5">
        {conflicts.map((conflict) => (
          <li key={`${conflict.code} ${conflict.field} ${conflict.key} ${conflict.other}`}>
            {conflictWords(conflict)}: <span className="mono break-all">{conflict.key}</span>
            <span className="block text-ink-3 text-note">
              kept that of <Input projectId={projectId} id={conflict.kept} sources={sources} />, not that of{" "}
              <Input projectId={projectId} id={conflict.other} sources={sources} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A pack by its number, which leads to it; a payload by its id. */
function Input({ projectId, id, sources }: { projectId: string; id: string; sources: Sidecar["sources"] }) {
  const source = sources.find(({ kind, ref }) => kind === "pack" && ref === id);
  if (!source) return <span className="mono break-all">{id}</span>;
  const { text, href } = sourceWords(projectId, source);
  return (
    <Link href={href ?? ""} className="link mono" title={id}>
      {text}
    </Link>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <Section title="Warnings" note={formatNumber(warnings.length)}>
      <ul className="flex flex-col gap-1">
        {warnings.map((warning) => {
          const { what, of } = warningWords(warning);
          return (
            <li key={warning}>
              {what}
              {of === "" ? null : <span className="mono break-all text-ink-3">: {of}</span>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

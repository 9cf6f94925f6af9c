"use client";

// The differences of two packs: a row for each item, its text opened line by line.
import { lineDiff, withContext } from "@/components/ui/line-diff";
import type { Verdict } from "@/components/ui/sign-words";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { PackChange } from "@/server/contract/context-pack/diff-packs";
import { RedactedText } from "./redacted-text";
import { type ChangeRow, changedSections } from "./view/changes";

export function ChangeList({ changes }: { changes: readonly PackChange[] }) {
  const sections = changedSections(changes);
  if (sections.length === 0) return <p className="py-6">No differences.</p>;
  return sections.map(({ key, label, rows }) => (
    <section key={key} aria-labelledby={`changed-${key}`} className="mt-4">
      <h2 id={`changed-${key}`} className="flex items-baseline gap-2 font-[650] text-[13px]">
        {label} <span className="font-[450] text-ink-3">{rows.length}</span>
      </h2>
      <ul>
        {rows.map((row) => (
          <Changed key={row.id} row={row} />
        ))}
      </ul>
    </section>
  ));
}

function Changed({ row: { kind, pointer, key, was, now } }: { row: ChangeRow }) {
  return (
    <li className="border-line border-t py-1.5">
      <p className="flex items-center gap-2">
        <VerdictMark verdict={marks[kind]} label={null} />
        <span dir="auto" className="min-w-0 truncate">
          {key}
        </span>
        <span className="flex-none text-ink-2">{kind}</span>
        <span className="mono ml-auto flex-none text-[10.5px] text-ink-3 max-sm:hidden">{pointer}</span>
      </p>
      {kind === "reordered" ? null : (
        <ol className="mt-1 overflow-x-auto rounded-2 bg-well p-2">
          {withContext(linesOf(was, now)).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            <li key={at} data-diff={line?.kind ?? "same"} className="cpack-diff mono">
              {line === null ? (
                "…"
              ) : (
                <>
                  <span aria-hidden>{line.kind === "same" ? "  " : line.kind === "removed" ? "- " : "+ "}</span>
                  {line.kind === "same" ? null : <span className="sr-only">{line.kind}: </span>}
                  <RedactedText text={line.text} />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

/** An item that came or went has no other side: an empty one would be a removed line of nothing. */
function linesOf(was: string, now: string): ReturnType<typeof lineDiff> {
  if (was === "") return now.split("\n").map((text) => ({ kind: "added", text }));
  if (now === "") return was.split("\n").map((text) => ({ kind: "removed", text }));
  return lineDiff(was, now);
}

const marks: Record<PackChange["kind"], Verdict> = {
  added: "added",
  removed: "withheld",
  changed: "passed",
  reordered: "passed",
};

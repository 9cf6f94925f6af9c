// What two turns delivered, line by line.
import { lineDiff } from "@/components/ui/line-diff";
import "./delivered-diff.css";

export type DeliveredDiffProps = { a: Side; b: Side; isTall?: boolean };
type Side = { name: string; text: string };

export function DeliveredDiff({ a, b, isTall = false }: DeliveredDiffProps) {
  return (
    <>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        tabIndex={0}
        aria-label="What they delivered"
        className={`${isTall ? "min-h-0 flex-1" : "max-h-72"} overflow-y-auto rounded-2 bg-well p-2.5`}
      >
        {lineDiff(a.text, b.text).map(({ kind, text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <li key={i} dir="auto" data-diff={kind} className="diff-line mono">
            <span aria-hidden className="select-none text-ink-3">
              {kind === "same" ? "  " : kind === "removed" ? "- " : "+ "}
            </span>
            {kind === "same" ? null : <span className="sr-only">{kind === "removed" ? a.name : b.name}: </span>}
            {text}
          </li>
        ))}
      </ol>
      <p className="mt-1 text-ink-3 text-note">
        - {a.name}, + {b.name}
      </p>
    </>
  );
}

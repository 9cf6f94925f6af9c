// What a copy of a card changed: removed and added words of a text, or the paths of a structure.
import { formatNumber } from "@/components/ui/format";
import "./content-change.css";
import type { PairChange, PathChange, WordChange } from "@/server/contract/box-diff/pair-change";

export function ContentChange({ change }: { change: PairChange }) {
  if (change.how === "none") return <p className="text-ink-3">Not compared. {change.reason}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section tabIndex={0} aria-label="What was changed" className="content-change">
      {change.how === "words" ? <Words words={change.words} /> : <Paths paths={change.paths} />}
      {change.left_out === undefined ? null : (
        <p className="text-ink-3">{formatNumber(change.left_out)} more changes are not shown.</p>
      )}
    </section>
  );
}

function Words({ words }: { words: readonly WordChange[] }) {
  return words.map(({ kind, text, cut }, index) => {
    const shown = cut === undefined ? text : `${text} … ${formatNumber(cut)} letters …`;
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of two stored texts never change.
    if (kind === "same") return <span key={index}>{shown}</span>;
    const Mark = kind === "removed" ? "del" : "ins";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of two stored texts never change.
      <Mark key={index}>{shown}</Mark>
    );
  });
}

function Paths({ paths }: { paths: readonly PathChange[] }) {
  return (
    <ul>
      {paths.map(({ kind, path, before, after }) => (
        <li key={`${kind} ${path}`}>
          <span className="text-ink-3">{path === "" ? "(all of it)" : path}</span>{" "}
          {kind === "added" ? null : <del>{JSON.stringify(before)}</del>}{" "}
          {kind === "removed" ? null : <ins>{JSON.stringify(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

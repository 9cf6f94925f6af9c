/** A sentence whose `names` in backticks are set as code. */
export function Ticked({ text }: { text: string }) {
  return text.split("`").map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
      <code key={i} className="mono text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

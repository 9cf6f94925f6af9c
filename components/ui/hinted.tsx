// A word that has a meaning of its own here, with that meaning under the pointer.
export function Hinted({ words, hint }: { words: string; hint?: string | undefined }) {
  if (hint === undefined) return words;
  return (
    <abbr title={hint} className="cursor-help underline decoration-dotted decoration-from-font underline-offset-2">
      {words}
    </abbr>
  );
}

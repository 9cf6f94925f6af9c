// A text as the rules are to read it, and where each of its characters stands in the text that was given.
import type { Hit } from "./hits";

export type View = { text: string; from: Uint32Array; to: Uint32Array };

/** `read` says what stands for a match: a text, or null for what was written. Null = nothing of the text changes. */
export function viewOf(text: string, pattern: RegExp, read: (match: RegExpExecArray) => string | null): View | null {
  const parts: { text: string; from: number; to: number }[] = [];
  for (const match of text.matchAll(pattern)) {
    const stands = read(match);
    if (stands !== null) parts.push({ text: stands, from: match.index, to: match.index + match[0].length });
  }
  return parts.length === 0 ? null : assemble(text, parts);
}

function assemble(text: string, parts: readonly { text: string; from: number; to: number }[]): View {
  const [from, to] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  let [out, at, length] = ["", 0, 0];
  const copyTo = (end: number) => {
    out += text.slice(at, end);
    for (; at < end; at++, length++) [from[length], to[length]] = [at, at + 1];
  };
  for (const part of parts) {
    copyTo(part.from);
    // What stands for a match is never longer than it.
    out += part.text;
    for (const end = length + part.text.length; length < end; length++)
      [from[length], to[length]] = [part.from, part.to];
    at = part.to;
  }
  copyTo(text.length);
  return { text: out, from, to };
}

/** A view of a view, as a view of the first text. */
export const through = (outer: View, inner: View): View => ({
  text: inner.text,
  from: inner.from.map((place) => outer.from[place] ?? 0),
  to: inner.to.map((place) => outer.to[place - 1] ?? 0),
});

/** Where hits of the view are in the text that was given. */
export const inGiven = ({ from, to }: View, hits: readonly Hit[]): Hit[] =>
  hits.flatMap((hit) =>
    hit.to <= hit.from ? [] : [{ kind: hit.kind, from: from[hit.from] ?? 0, to: to[hit.to - 1] ?? 0 }],
  );

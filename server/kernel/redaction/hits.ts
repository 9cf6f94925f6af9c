// What the rules find in a text, and its replacement. Every rule sees the text as it was given, because a rule that came later would
// see a secret of which an earlier one had taken the middle, and leave both ends.
import { findPlaceholders, mostTelling, placeholder, type RedactionKind } from "./ruleset";

/** From one offset to another, in UTF-16 units. */
export type Hit = { kind: RedactionKind; from: number; to: number };

/** Hits that overlap become one placeholder, from where the first begins to where the last ends. */
export function replaceHits(text: string, hits: readonly Hit[]): { text: string; kinds: RedactionKind[] } {
  const kinds: RedactionKind[] = [];
  let out = "";
  let at = 0;
  for (const { kind, from, to } of mergeHits(outsideOf(findPlaceholders(text), hits))) {
    out += text.slice(at, from) + placeholder(kind);
    kinds.push(kind);
    at = to;
  }
  return { text: out + text.slice(at), kinds };
}

function mergeHits(hits: readonly Hit[]): Hit[] {
  const merged: Hit[] = [];
  for (const hit of hits.toSorted((a, b) => a.from - b.from)) {
    if (hit.to <= hit.from) continue;
    const last = merged.at(-1);
    if (last && hit.from < last.to) {
      last.to = Math.max(last.to, hit.to);
      last.kind = mostTelling(last.kind, hit.kind);
    } else merged.push({ ...hit });
  }
  return merged;
}

/** A hit ends before a placeholder and begins after one. What it has in its middle was redacted earlier, and goes with it. */
function outsideOf(done: readonly Span[], hits: readonly Hit[]): readonly Hit[] {
  if (done.length === 0) return hits;
  return hits.map((hit) => {
    let { from, to } = hit;
    // Placeholders may follow one another without anything between them.
    for (let span = spanAt(done, from); span; span = spanAt(done, from)) from = span.to;
    for (let span = spanAt(done, to - 1); span; span = spanAt(done, to - 1)) to = span.from;
    return { ...hit, from, to };
  });
}

type Span = { from: number; to: number };

/** The one that has this place, of spans in order. */
function spanAt(spans: readonly Span[], place: number): Span | null {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span && span.from <= place ? span : null;
}

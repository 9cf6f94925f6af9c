// The ruler's arithmetic: a box as a stack to scale, and the ribbons that join rows of equal height to their true weight.
import type { BoxWeights } from "@/server/contract/line";

/** `sums[i]` = tokens in front of place i; one more than there are cards, so that the last is the whole. */
export function runningSums(tokens: readonly number[]): number[] {
  const sums = [0];
  let sum = 0;
  for (const weight of tokens) {
    sum += weight;
    sums.push(sum);
  }
  return sums;
}

/** Places by weight, heaviest first; equals in reading order. */
export function byWeight(tokens: readonly number[]): number[] {
  return tokens.map((_, place) => place).sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0) || a - b);
}

/** The place whose card lies at this many tokens from the top. */
export function placeAt(sums: readonly number[], tokens: number): number {
  let low = 0;
  let high = Math.max(0, sums.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sums[middle] ?? 0) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low;
}

export type Tick = { tokens: number; label: string };

/** Round marks at least `gap` pixels apart. */
export function ticks(total: number, height: number, gap = 52): Tick[] {
  if (total <= 0 || height <= 0) return [];
  const least = (total / height) * gap;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? 10 * power;
  const marks: Tick[] = [];
  for (let tokens = 0; tokens <= total; tokens += step) marks.push({ tokens, label: tickLabel(tokens) });
  return marks;
}

function tickLabel(tokens: number): string {
  if (tokens >= 1_000_000) return `${+(tokens / 1_000_000).toFixed(2)}M`;
  return tokens >= 1000 ? `${+(tokens / 1000).toFixed(1)}k` : String(tokens);
}

export type Ribbon = { top: number; bottom: number; stackTop: number; stackBottom: number; x: number };

/** From the row's edge at the left, ten pixels straight, then slanting to the stack, the last six straight again. */
export function ribbonPath({ top, bottom, stackTop, stackBottom, x }: Ribbon): string {
  const n = (value: number) => Math.round(value * 10) / 10;
  return `M0 ${n(top)}L10 ${n(top)}L${x - 6} ${n(stackTop)}H${x}V${n(stackBottom)}H${x - 6}L10 ${n(bottom)}H0z`;
}

/** Weights read later, joined to those that are there. Overlap and repetition change nothing; a gap is not bridged. */
export function joinWeights(known: BoxWeights, more: BoxWeights): BoxWeights {
  const skip = known.tokens.length - more.from;
  if (skip < 0 || skip >= more.tokens.length) return known;
  return {
    ...known,
    roles: known.roles + more.roles.slice(skip),
    tokens: [...known.tokens, ...more.tokens.slice(skip)],
  };
}

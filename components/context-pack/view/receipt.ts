// The receipt of a pack: what was trimmed, in the order of the eight steps, and what was redacted. Pure.

import { groupBy } from "@/components/domain/group-by";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar, Trimmed } from "@/server/contract/context-pack/sidecar";
import { share } from "./shares";
import { shortRef } from "./short-ref";

export type TrimStep = { step: number; title: string; detail: string; tokens: number };

export type TrimReceipt = {
  steps: readonly TrimStep[];
  /** Tokens that trimming saved. */
  saved: number;
  /** The first step that was not needed; null = all were. */
  unneededFrom: number | null;
};

/** docs/context-packs.md has the order. */
const titles: Record<number, string> = {
  1: "Shorten excerpts of files",
  2: "Drop files, the lowest ranked first",
  3: "Drop summaries that are not evidence",
  4: "Remove excerpts of documents",
  5: "Drop documents of low priority",
  6: "Remove reasons of decisions",
  7: "Drop the oldest inputs",
  8: "Drop facts about the repository",
};
export const TRIM_STEPS = Object.keys(titles).length;

type Given = { sidecar: Pick<Sidecar, "trimmed">; record: Pick<PackRecord, "estimate" | "found"> };

export function trimReceipt({ sidecar, record }: Given): TrimReceipt {
  const groups = [...groupBy(sidecar.trimmed, ({ step }) => step)].sort(([a], [b]) => a - b);
  const saved = Math.max(0, record.found - record.estimate);
  const tokens = share(
    saved,
    groups.map(([, done]) => savedBytes(done)),
  );
  const steps = groups.map(([step, done], at) => ({
    step,
    title: titles[step] ?? `Step ${step}`,
    detail: detailOf(done),
    tokens: tokens[at] ?? 0,
  }));
  const last = steps.at(-1)?.step ?? 0;
  return { steps, saved, unneededFrom: last < TRIM_STEPS ? last + 1 : null };
}

const savedBytes = (done: readonly Trimmed[]): number =>
  done.reduce((sum, { bytesBefore, bytesAfter }) => sum + Math.max(0, bytesBefore - bytesAfter), 0);

const NAMED_MAX = 2;

function detailOf(done: readonly Trimmed[]): string {
  const words = [...groupBy(done, ({ action }) => action)].map(([action, of]) => `${of.length} ${actions[action]}`);
  const keys = [...new Set(done.map(({ key }) => shortRef(key)))];
  const named = keys.slice(0, NAMED_MAX).join(", ");
  const more = keys.length > NAMED_MAX ? ` and ${keys.length - NAMED_MAX} more` : "";
  return `${words.join(", ")}: ${named}${more}`;
}

const actions: Record<Trimmed["action"], string> = {
  shortened: "shortened",
  excerpt_removed: "without excerpt",
  details_removed: "without details",
  removed: "dropped",
};

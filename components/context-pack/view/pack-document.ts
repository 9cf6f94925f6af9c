// A pack as a document: sections with lines, each line with what it was made from and how far it was cut, and at the end of a
// section the lines that did not fit. Pure.

import { groupBy } from "@/components/domain/group-by";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { PackSource, Sidecar, Trimmed } from "@/server/contract/context-pack/sidecar";
import { linesOf, type PlainLine } from "./pack-lines";
import { type SectionForm, type SectionKey, sectionForms, sectionOfPointer } from "./sections";
import { bytesOf, share } from "./shares";
import { shortRef } from "./short-ref";

export type PackLine = PlainLine & {
  sources: readonly PackSource[];
  tokens: number;
  /** Shortened to fit: bytes before and after. */
  cut?: { before: number; after: number };
  /** It did not fit. */
  isGone: boolean;
};

export type PackSection = {
  key: SectionKey;
  label: string;
  tokens: number;
  lines: readonly PackLine[];
  shortened: number;
  dropped: number;
};

export type PackDocument = {
  sections: readonly PackSection[];
  /** Of the pack as a whole: a snapshot, the packs that were merged. */
  wholeSources: readonly PackSource[];
};

type Given = { pack: ContextPack; sidecar: Sidecar; record: Pick<PackRecord, "estimate" | "found"> };

export function packDocument({ pack, sidecar, record }: Given): PackDocument {
  const sources = groupBy(sidecar.sources, ({ pointer }) => pointer);
  const cuts = cutsOf(sidecar.trimmed);
  const forms = sectionForms
    .map((form) => ({ form, lines: linesOf(pack, form) }))
    .filter(({ form, lines }) => lines.length > 0 || [...cuts.values()].some((cut) => isIn(form, cut)));
  const weights = forms.map(({ lines }) => lines.reduce((sum, { value }) => sum + bytesOf(value), 0));
  const tokens = share(record.estimate, weights);
  const perByte =
    record.estimate /
    Math.max(
      1,
      weights.reduce((sum, one) => sum + one, 0),
    );
  const sections = forms.map(({ form, lines }, at): PackSection => {
    const of = share(
      tokens[at] ?? 0,
      lines.map(({ value }) => bytesOf(value)),
    );
    const kept = lines.map((line, i): PackLine => {
      const cut = line.key === undefined ? undefined : cuts.get(`${line.field} ${line.key}`);
      return {
        ...line,
        sources: sources.get(line.pointer) ?? [],
        tokens: of[i] ?? 0,
        ...(cut && { cut: { before: cut.before, after: cut.after } }),
        isGone: false,
      };
    });
    const gone = [...cuts.values()].filter((cut) => cut.isGone && isIn(form, cut)).map((cut) => goneLine(cut, perByte));
    return {
      key: form.key,
      label: form.label,
      tokens: tokens[at] ?? 0,
      lines: [...kept, ...gone],
      shortened: kept.filter(({ cut }) => cut).length,
      dropped: gone.length,
    };
  });
  return { sections, wholeSources: sources.get("") ?? [] };
}

type Cut = { field: string; key: string; before: number; after: number; isGone: boolean };

/** An item may be cut in several steps: shortened, then emptied, then removed. */
function cutsOf(trimmed: readonly Trimmed[]): Map<string, Cut> {
  const cuts = new Map<string, Cut>();
  for (const { field, key, action, bytesBefore, bytesAfter } of trimmed) {
    const known = cuts.get(`${field} ${key}`);
    cuts.set(`${field} ${key}`, {
      field,
      key,
      before: Math.max(known?.before ?? 0, bytesBefore),
      after: bytesAfter,
      isGone: action === "removed",
    });
  }
  return cuts;
}

const isIn = (form: SectionForm, { field }: Cut): boolean => sectionOfPointer(`/${field}`) === form.key;

const goneLine = ({ field, key, before }: Cut, perByte: number): PackLine => ({
  pointer: `/${field}`,
  field,
  key,
  text: shortRef(key),
  value: key,
  isMono: true,
  sources: [],
  tokens: Math.round(before * perByte),
  isGone: true,
});

// Where a card in a box came from, in the words of its row. The mark beside it says the kind; the words say from whom.
import { originNames } from "@/components/ui/sign-words";
import { boxPlate, type Origin, type OriginKind, originKind } from "@/server/contract/box";
import type { BoxSheet } from "@/server/contract/line";

export type OriginWords = {
  /** "inherited from", "packed argument" */
  text: string;
  /** A box number or a headcode, set in mono or as a plate. */
  code?: string;
  /** The turn behind it. */
  headcode?: string;
};

type KnownOrigins = BoxSheet["origins"];

export function originWords(origin: Origin, known: KnownOrigins): OriginWords {
  const headcode = known.find((entry) => entry.origin === origin)?.headcode;
  if (origin.startsWith("box:")) return { text: "inherited from", code: boxPlate(origin.slice(4)), headcode };
  if (origin.startsWith("turn:")) return { text: "written by", headcode: headcode ?? boxPlate(origin.slice(5)) };
  if (origin.startsWith("arg:")) return { text: "packed argument", code: origin.slice(4) };
  return { text: plainWords[origin] ?? "added" };
}

/** The marks that occur, each with one word, in the order in which they do. */
export function legendOf(known: KnownOrigins): { kind: OriginKind; word: string }[] {
  const words = new Map<OriginKind, string>();
  for (const { origin } of known) {
    const kind = originKind(origin);
    if (!words.has(kind)) words.set(kind, origin === "import" ? "imported" : originNames[kind]);
  }
  return [...words].map(([kind, word]) => ({ kind, word }));
}

const plainWords: Record<string, string> = {
  card: "handed over on its own",
  pack: "context pack",
  ptr: "parent pointer",
  sys: "added by Switchyard",
  import: "imported",
  given: "given by a client",
};

// The file or document from which a context pack quotes some words. Pure.
import { ContextPack } from "@/server/contract/context-pack/pack";
import type { BlameCard } from "./blame-card";
import { findEvidence } from "./find-evidence";
import type { Needle } from "./needle";

/** Its path, of the first that has them; null = none. The goal and the rules were written by whoever asked for the pack. */
export function fileWith({ type, content }: BlameCard, needle: Needle): string | null {
  if (type !== "context.pack" || content?.kind !== "json") return null;
  const { data } = ContextPack.safeParse(content.data);
  const quoted = [...(data?.docRefs ?? []), ...(data?.relevantFiles ?? [])].find(
    ({ excerpt }) => excerpt !== undefined && findEvidence(needle, { text: excerpt }) !== undefined,
  );
  return quoted?.path ?? null;
}

// Whether the words of a context pack stand in what it quotes from a file or a document. Pure.
import { ContextPack } from "@/server/contract/context-pack/pack";
import type { BlameCard } from "./blame-card";
import { findEvidence } from "./find-evidence";
import type { Needle } from "./needle";

/** Its goal and its rules were written by whoever asked for it. */
export function isInFile({ type, content }: BlameCard, needle: Needle): boolean {
  if (type !== "context.pack" || content?.kind !== "json") return false;
  const { data } = ContextPack.safeParse(content.data);
  return [...(data?.docRefs ?? []), ...(data?.relevantFiles ?? [])].some(
    ({ excerpt }) => excerpt !== undefined && findEvidence(needle, { text: excerpt }) !== undefined,
  );
}

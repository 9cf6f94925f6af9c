// The facts of a delegation as the text its receiver reads in front of the instruction. Pure; the same facts make the same
// text. Consumers trust the card: a message body may imitate this text, and nobody parses it.
import type { DelegationFacts } from "@/server/contract/delegation-context";
import type { DelegationContextLevel } from "@/server/contract/profile";
import { collapse, cutText } from "../context/cut-text";
import { chainText, oneLine } from "./chain-text";

const LEVELS = {
  minimal: { textMax: 400, rootMax: 0 },
  standard: { textMax: 1200, rootMax: 240 },
  verbose: { textMax: 4000, rootMax: 1000 },
};

const DESCRIPTION_MAX = 200;
const NOTE_MAX = 300;
const MANIFEST_MAX = 10;
const ENV_HINT = "Shared environment data is available — call list_env_data() to see what context has been stored.";

/** "" when the receiver opted out, and for a person's own call, which is never explained to its receiver. */
export function renderPreamble(facts: DelegationFacts, level: DelegationContextLevel): string {
  if (level === "off" || facts.caller.is_human) return "";
  const { textMax, rootMax } = LEVELS[level];
  let parts = partsOf(facts, level, rootMax);
  for (const shed of sheds) {
    if (lengthOf(linesOf(parts)) <= textMax) break;
    parts = shed(parts, textMax);
  }
  return linesOf(parts).join("\n");
}

type Parts = {
  facts: DelegationFacts;
  nameMax?: number;
  description?: string;
  root?: string;
  note?: string;
  hasEnv: boolean;
  manifest: string[];
  counts: string[];
};

function partsOf(facts: DelegationFacts, level: DelegationContextLevel, rootMax: number): Parts {
  if (level === "minimal") return { facts, hasEnv: false, manifest: [], counts: [] };
  const parts: Parts = {
    facts,
    description: cutText(collapse(facts.caller.description ?? "") || "A prompt object", DESCRIPTION_MAX),
    root: facts.root_text ? cutText(collapse(facts.root_text), rootMax) : undefined,
    hasEnv: facts.has_env_data,
    manifest: [],
    counts: [],
  };
  if (level === "standard") return parts;
  const { batch } = facts;
  return {
    ...parts,
    note: facts.caller_note ? cutText(collapse(facts.caller_note), NOTE_MAX) : undefined,
    manifest: (facts.env_manifest ?? [])
      .slice(0, MANIFEST_MAX)
      .map((row) => `- ${collapse(row.key)}: ${collapse(row.short_description)}`),
    counts: [`Depth: ${facts.depth}`, ...(batch ? [`Batch: task ${batch.task_index + 1} of ${batch.task_count}`] : [])],
  };
}

function linesOf(parts: Parts): string[] {
  const { facts, description, root, note, nameMax } = parts;
  const caller = oneLine(facts.caller.name, nameMax);
  return [
    "---",
    "[Delegation Context]",
    `Called by: ${caller}`,
    ...(description === undefined ? [] : [`${caller} is: "${quoted(description)}"`]),
    `Delegation chain: ${chainText(facts, nameMax)}`,
    ...(root === undefined ? [] : [`Task context: The human asked: "${quoted(root)}"`]),
    ...(note === undefined ? [] : [`Caller note: "${quoted(note)}"`]),
    ...(parts.hasEnv ? [ENV_HINT] : []),
    ...parts.manifest,
    ...parts.counts,
    "---",
  ];
}

// Shortened in this order, each only as far as necessary; the fence, the caller and the chain are never cut.
const sheds: ((parts: Parts, max: number) => Parts)[] = [
  (parts, max) => {
    const manifest = [...parts.manifest];
    while (manifest.length > 0 && lengthOf(linesOf({ ...parts, manifest })) > max) manifest.pop();
    return { ...parts, manifest };
  },
  (parts) => ({ ...parts, note: undefined }),
  (parts) => ({ ...parts, root: undefined }),
  (parts, max) => {
    if (parts.description === undefined) return parts;
    const over = lengthOf(linesOf(parts)) - max;
    const left = Math.max(Array.from(parts.description).length - over, 60);
    return { ...parts, description: cutText(parts.description, left) };
  },
  (parts, max) => {
    let nameMax = 60;
    while (nameMax > 8 && lengthOf(linesOf({ ...parts, nameMax })) > max) nameMax -= 4;
    return { ...parts, nameMax };
  },
];

const lengthOf = (lines: string[]): number => Array.from(lines.join("\n")).length;

const quoted = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');

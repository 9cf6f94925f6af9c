// Finds secrets in text and structures and replaces them with typed placeholders. Pure, deterministic and idempotent:
// redacted text is not changed again. Every scan is bounded, because a model's output may be a megabyte without a break.
import { findAssignments } from "./assignments";
import { findInBase64 } from "./base64";
import { joined } from "./broken-lines";
import { decoded, decodedName } from "./decoded";
import { type Hit, replaceHits } from "./hits";
import { findPrivateKeys } from "./private-keys";
import { type Finding, isPlaceholder, maskPlaceholders, mostTelling, placeholder, type RedactionKind } from "./ruleset";
import { isSecretValue, secretKind } from "./secret-names";
import { findBySecretlint } from "./secretlint-rules";
import { findTokens } from "./token-shapes";
import { inGiven } from "./view";

export function redactText(text: string): { text: string; kinds: RedactionKind[] } {
  return replaceHits(text, findSecrets(maskPlaceholders(text)));
}

function findSecrets(text: string): Hit[] {
  const view = decoded(text);
  const lines = joined(text);
  return [
    ...findWritten(text),
    ...findInBase64(text, findAll),
    ...(view ? inGiven(view, [...findWritten(view.text), ...findInBase64(view.text, findAll)]) : []),
    ...(lines ? inGiven(lines, [...findTokens(lines.text), ...findAssignments(lines.text)]) : []),
  ];
}

function findWritten(text: string): Hit[] {
  const hits = findAll(text);
  // In JSON a line ends with the letters \n, and a token after them does not look like the beginning of a word.
  if (!/\\[nrt]/.test(text)) return hits;
  const lines = text.replace(/\\[nrt]/g, " \n");
  return [...hits, ...findAll(lines).map((hit) => beforeSign({ text, lines, hit }))];
}

/** What ends with its line ends before both letters of the line's end: the second one alone would be left. */
const beforeSign = ({ text, lines, hit }: { text: string; lines: string; hit: Hit }): Hit =>
  text[hit.to - 1] === "\\" && lines[hit.to] === "\n" ? { ...hit, to: hit.to - 1 } : hit;

const findAll = (text: string): Hit[] =>
  [findPrivateKeys, findTokens, findBySecretlint, findAssignments].flatMap((find) => find(text));

/** Every string at every depth, names of members too, and every member whose name suggests a secret value. */
export function redactValue<T>(value: T): { value: T; findings: Finding[] } {
  const findings: Finding[] = [];
  return { value: walk(value, "", null, findings) as T, findings };
}

function walk(value: unknown, pointer: string, key: string | null, findings: Finding[]): unknown {
  if (typeof value === "string" || typeof value === "number") return redactLeaf(value, pointer, key, findings);
  if (Array.isArray(value)) return value.map((item, i) => walk(item, `${pointer}/${i}`, key, findings));
  if (value === null || typeof value !== "object") return value;
  const names = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => {
      const name = redactName(k, names);
      const place = `${pointer}/${escaped(name.text)}`;
      findings.push(...name.kinds.map((kind) => ({ kind, pointer: place })));
      return [name.text, walk(v, place, decodedName(nameOf(value, k)), findings)];
    }),
  );
}

function redactLeaf(value: string | number, pointer: string, key: string | null, findings: Finding[]): unknown {
  const { text, kinds } = typeof value === "string" ? redactCached(value) : { text: value, kinds: [] };
  const kind = key === null ? null : secretKind(key);
  if (key === null || kind === null || !isSecretValue(key, String(value)) || isPlaceholder(String(value))) {
    findings.push(...kinds.map((k) => ({ kind: k, pointer })));
    return text;
  }
  const found = kinds.reduce(mostTelling, kind);
  findings.push({ kind: found, pointer });
  return placeholder(found);
}

// Short texts in which nothing was found: objects of one shape repeat their names and many of their values, and most of the time went into
// checking those again.
const clean = new Set<string>();
const CLEAN_MAX = 5_000;
const CLEAN_LENGTH_MAX = 64;

/** Ids that the kernel makes, with or without a prefix: they differ only in time and random digits, so one sample of each prefix is checked for all. */
const MADE_ID = /^([a-z0-9-]{1,40}_)?01[89a-f][0-9a-f]{9}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
const SAMPLE_ID = "019a0c4e5b6d7f8a9b1c2d3e4f506172";

function redactCached(text: string): { text: string; kinds: RedactionKind[] } {
  if (text.length > CLEAN_LENGTH_MAX) return redactText(text);
  const likeIt = text.replace(MADE_ID, (_id, prefix = "") => prefix + SAMPLE_ID);
  if (clean.has(likeIt)) return { text, kinds: [] };
  const redacted = redactText(text);
  if (redacted.text === text && redacted.kinds.length === 0) {
    if (clean.size >= CLEAN_MAX) clean.clear();
    clean.add(likeIt);
  }
  return redacted;
}

/** Two names that are redacted to the same stay two members. */
function redactName(key: string, taken: Set<string>): { text: string; kinds: RedactionKind[] } {
  const { text, kinds } = redactCached(key);
  let name = text;
  for (let n = 2; taken.has(name); n++) name = `${text} ${n}`;
  taken.add(name);
  return { text: name, kinds };
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

// {name: "api_key", value: "..."} is treated like {api_key: "..."}.
function nameOf(owner: object, key: string): string {
  if (key !== "value") return key;
  const name = "name" in owner ? owner.name : "key" in owner ? owner.key : key;
  return typeof name === "string" ? name : key;
}

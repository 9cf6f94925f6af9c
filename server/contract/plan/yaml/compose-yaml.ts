// YAML text as a document whose every value knows where it is written. A small text can be a great deal of work: length,
// depth and aliases are bounded before anything is built, since what builds values recurses.
import { type Alias, Composer, type Document, Lexer, LineCounter, type ParsedNode, Parser, visit } from "yaml";
import { isTooLarge } from "../is-too-large";
import { DEPTH_MAX } from "../plain-json";
import { twinKeys } from "./twin-keys";
import { Fault, type YamlProblem } from "./yaml-fault";

export type Composed = { doc: Document.Parsed<ParsedNode>; lines: LineCounter; value: unknown };

const TOKENS_MAX = 400_000;
/** A level is one or two entries of the parser's stack. */
const STACK_MAX = 2 * DEPTH_MAX + 2;
const ALIASES_MAX = 20;

export function composeYaml(text: string): Composed | { problems: YamlProblem[] } {
  const lines = new LineCounter();
  try {
    refuseHeavy(text);
    const doc = compose(text, lines);
    refuseAliases(doc);
    const twins = twinKeys(doc, lines);
    if (twins.length > 0) return { problems: twins };
    return { doc, lines, value: doc.toJS({ maxAliasCount: ALIASES_MAX }) as unknown };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const at = error instanceof Fault ? error.at : undefined;
    const { line, col } = lines.linePos(at ?? 0);
    const isAliasCount = error instanceof ReferenceError && error.message.startsWith("Excessive alias count");
    const message = error instanceof RangeError ? TOO_DEEP : isAliasCount ? TOO_MANY_ALIASES : error.message;
    return { problems: [{ line: Math.max(1, line), column: Math.max(1, col), path: "", message }] };
  }
}

const TOO_DEEP = `it is nested deeper than ${DEPTH_MAX} levels; flatten it`;
const TOO_MANY_ALIASES = `it has more than ${ALIASES_MAX} aliases (*name); write the values out`;

function refuseHeavy(text: string): void {
  if (isTooLarge(text)) throw new Fault("the plan is larger than 4 MiB; load long texts as cards", 0);
  const parser = new Parser();
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > TOKENS_MAX) throw new Fault(`it has more than ${TOKENS_MAX} words and signs; make it smaller`, 0);
    for (const _part of parser.next(token));
    if (parser.stack.length > STACK_MAX) throw new Fault(TOO_DEEP, 0);
  }
}

/** Ends with the first fault: a text of bad escapes has one for each, with a stack. */
function compose(text: string, lines: LineCounter): Document.Parsed<ParsedNode> {
  // Always YAML 1.2: under `%YAML 1.1` a bare `on`, `y` or `no` would be true or false, also the `on` that an edit adds.
  // Its own check of keys compares each with all before it.
  const composer = new Composer({ schema: "core", uniqueKeys: false, logLevel: "error" });
  const inner = composer as unknown as {
    onError: (at: Source, code: string, message: string, warning?: boolean) => void;
  };
  let first: Fault | undefined;
  inner.onError = (at, code, message, isWarning) => {
    // A program of another kind fills it in (`!env HOME`, `!include a.txt`): its argument is not the value that was meant.
    if (isWarning && code !== "TAG_RESOLVE_FAILED") return;
    // The composer catches it on its way and tells of it once more, at the place of what it stands in.
    first ??= new Fault(wordsOf(message), offsetOf(at));
    throw first;
  };
  let doc: Document.Parsed<ParsedNode> | undefined;
  for (const next of composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length)) {
    if (doc) throw new Fault("it has several documents; keep one", next.range[0]);
    doc = next as Document.Parsed<ParsedNode>;
  }
  const [error] = doc?.errors ?? [];
  if (error || !doc) throw new Fault(wordsOf(error?.message ?? "it is empty"), error?.pos[0]);
  return doc;
}

type Source = number | [number, number] | { offset: number };
const offsetOf = (at: Source): number => (typeof at === "number" ? at : Array.isArray(at) ? at[0] : at.offset);

function wordsOf(message: string): string {
  if (message.startsWith("Maximum call stack")) return TOO_DEEP;
  const [, tag] = /^Unresolved tag: (\S+)/.exec(message) ?? [];
  if (tag) return `the tag ${tag.slice(0, 80)} is not known; write the value itself`;
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

/** A few are a convenience, thousands are a bomb: each use is written out. */
function refuseAliases(doc: Document.Parsed<ParsedNode>): void {
  let count = 0;
  visit(doc, {
    Alias(_key: unknown, node: Alias) {
      if (++count > ALIASES_MAX) throw new Fault(TOO_MANY_ALIASES, node.range?.[0]);
    },
  });
}

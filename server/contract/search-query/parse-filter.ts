// field:value, field:>value, field:[lo TO hi], has:field and is:flag. The field's name and its colon have been read.
import { FaultAt } from "./fault";
import { type FieldName, type FieldSpec, fieldNames, fields, flags, isField, isFlag } from "./fields";
import { didYouMean } from "./nearest";
import type { Comparison, QueryLeaf, QueryValue } from "./query-tree";
import { readDuration, readNumber, readTime } from "./read-value";
import { countTerm, type Scan, skipBlanks, take, takeBare, takeQuoted, WORD_CHARS_MAX } from "./scan";

const comparisons: readonly Comparison[] = [">=", "<=", "!=", ">", "<", "="];

export function parseFilter(scan: Scan, name: string, at: number): QueryLeaf {
  if (name === "has") return { kind: "has", at, field: hasField(scan) };
  if (name === "is") return { kind: "is", at, flag: isFlagOf(scan) };
  if (!isField(name)) {
    const close = didYouMean(name, [...fieldNames, "has", "is"]);
    const remedy = close === "" ? `; put the words in quotation marks to search for them as text` : close;
    throw new FaultAt(at, `unknown field "${name}"${remedy}`);
  }
  const spec = fields[name];
  if (take(scan, "[")) return { kind: "range", at, field: name, ...rangeOf(scan, name, spec) };
  const opAt = scan.at;
  const op = comparisons.find((one) => take(scan, one)) ?? "=";
  if (!allows(spec, op, scan.at > opAt))
    throw new FaultAt(opAt, `"${op}" cannot follow "${name}:"; ${spec.as === "time" ? "leave it out" : "use = or !="}`);
  const values = [takeValue(scan, name, spec)];
  while (take(scan, ",")) {
    if (op !== "=" && op !== "!=")
      throw new FaultAt(scan.at - 1, `"${op}" takes one value; leave out the others or use [lo TO hi]`);
    if (spec.as === "time") throw new FaultAt(scan.at - 1, `"${name}" takes one time; leave out the others`);
    values.push(takeValue(scan, name, spec));
  }
  return { kind: "filter", at, field: name, op, values };
}

const allows = (spec: FieldSpec, op: Comparison, isWritten: boolean): boolean =>
  spec.as === "number" || spec.as === "duration" || (spec.as === "time" ? !isWritten : op === "=" || op === "!=");

function hasField(scan: Scan): FieldName {
  const at = scan.at;
  const name = takeBare(scan);
  const known = fieldNames.filter((one) => fields[one].isOptional);
  if (isField(name) && fields[name].isOptional) return name;
  if (isField(name)) throw new FaultAt(at, `"has:${name}" is always so; use one of ${known.join(", ")}`);
  throw new FaultAt(at, `unknown field "${name}"${didYouMean(name, known) || `; use one of ${known.join(", ")}`}`);
}

function isFlagOf(scan: Scan): (typeof flags)[number] {
  const at = scan.at;
  const name = takeBare(scan);
  if (isFlag(name)) return name;
  throw new FaultAt(at, `unknown state "${name}"${didYouMean(name, flags) || `; use one of ${flags.join(", ")}`}`);
}

function rangeOf(scan: Scan, name: FieldName, spec: FieldSpec): { lo: QueryValue; hi: QueryValue } {
  const opened = scan.at - 1;
  if (spec.as !== "number" && spec.as !== "duration")
    throw new FaultAt(opened, `"${name}" has no ranges; name the values, separated by commas`);
  skipBlanks(scan);
  const lo = takeValue(scan, name, spec, "]");
  skipBlanks(scan);
  const toAt = scan.at;
  if (takeBare(scan, "]") !== "TO") throw new FaultAt(toAt, `a range is written ${name}:[1 TO 2]; write TO here`);
  skipBlanks(scan);
  const hi = takeValue(scan, name, spec, "]");
  skipBlanks(scan);
  if (!take(scan, "]")) throw new FaultAt(scan.at, "the range is not closed; write ] here");
  if ((lo.n ?? 0) > (hi.n ?? 0)) throw new FaultAt(opened, "the range ends before it begins; swap its ends");
  return { lo, hi };
}

function takeValue(scan: Scan, name: FieldName, spec: FieldSpec, ends = ""): QueryValue {
  const at = scan.at;
  countTerm(scan, at);
  const isQuoted = take(scan, '"');
  let text = isQuoted ? takeQuoted(scan) : takeBare(scan, `,${ends}`);
  let is_prefix = false;
  if (spec.as === "name" || spec.as === "one_of") {
    is_prefix = isQuoted ? take(scan, "*") : text.endsWith("*");
    if (is_prefix && !isQuoted) text = text.slice(0, -1);
  }
  if (text === "")
    throw new FaultAt(at, `"${name}:" needs a value${is_prefix ? " before the *" : ""}; ${example(name, spec)}`);
  if (text.length > WORD_CHARS_MAX) throw new FaultAt(at, `a value has at most ${WORD_CHARS_MAX} characters`);
  return { text, is_prefix, n: numberOf(scan, { at, name, spec, text, is_prefix }) };
}

type Read = { at: number; name: FieldName; spec: FieldSpec; text: string; is_prefix: boolean };

/** Refuses what the field cannot have. */
function numberOf(scan: Scan, { at, name, spec, text, is_prefix }: Read): number | null {
  if (spec.as === "one_of") {
    const isKnown = is_prefix ? spec.names.some((one) => one.startsWith(text)) : spec.names.includes(text);
    if (isKnown) return null;
    const remedy = didYouMean(text, spec.names) || `; use one of ${spec.names.join(", ")}`;
    throw new FaultAt(at, `unknown ${name} "${text}"${remedy}`);
  }
  if (spec.as === "id" && !/^[A-Za-z0-9_-]{1,128}$/.test(text))
    throw new FaultAt(at, `"${text}" is not an id; copy the id from a page or an answer`);
  if (spec.as === "name" || spec.as === "id") return null;
  const n = { number: readNumber, duration: readDuration, time: (it: string) => readTime(it, scan.now) }[spec.as](text);
  if (n === null) throw new FaultAt(at, `"${text}" is not a ${spec.as}; ${example(name, spec)}`);
  return n;
}

function example(name: FieldName, spec: FieldSpec): string {
  if (spec.as === "number") return `write ${name}:10, ${name}:>1k or ${name}:[1 TO 2M]`;
  if (spec.as === "duration") return `write ${name}:>500ms, ${name}:>3s or ${name}:>2m`;
  if (spec.as === "time") return `write ${name}:2026-11-25, ${name}:2h or ${name}:yesterday`;
  if (spec.as === "one_of") return `use one of ${spec.names.join(", ")}`;
  return `write ${name}:value`;
}

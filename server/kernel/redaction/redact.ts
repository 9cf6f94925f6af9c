// Finds secrets in text and structures and replaces them with typed placeholders. Pure, deterministic and idempotent:
// redacted text is not changed again. Every scan is bounded, because a model's output may be a megabyte without a break.

export const redactionKinds = [
  "private_key",
  "bearer",
  "github_token",
  "aws_key",
  "jwt",
  "url_password",
  "env_secret",
  "generic_api_key",
] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** Raised with every change of a rule: the id of a redacted copy contains it, so that equal rules give equal copies. */
export const RULESET = "1";

/** Where something was found, never what. `pointer` is a JSON pointer; "" for text. */
export type Finding = { kind: RedactionKind; pointer: string };

const placeholder = (kind: RedactionKind): string => `[REDACTED:${kind}]`;

export function redactText(text: string): { text: string; kinds: RedactionKind[] } {
  const kinds: RedactionKind[] = [];
  const note = (kind: RedactionKind) => {
    kinds.push(kind);
    return placeholder(kind);
  };
  let out = text;
  for (const rule of rules) out = rule(out, note);
  return { text: out, kinds };
}

/** Every string at every depth, and every member whose key suggests a secret value. Keys are kept. */
export function redactValue<T>(value: T): { value: T; findings: Finding[] } {
  const findings: Finding[] = [];
  return { value: walk(value, "", null, findings) as T, findings };
}

type Note = (kind: RedactionKind) => string;
type Rule = (text: string, note: Note) => string;

const DONE = String.raw`(?!\[REDACTED:)`;

const rules: Rule[] = [
  privateKeys,
  kept(
    new RegExp(
      String.raw`(\bauthorization["'\\]{0,4}\s?[:=]\s?["'\\]{0,4}(?:bearer|basic|token)\s+)${DONE}[^\s"',;\\]+`,
      "gi",
    ),
    "bearer",
  ),
  // "the bearer authentication scheme" is prose: a token has a digit.
  kept(new RegExp(String.raw`(\bbearer\s+)${DONE}(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{8,}=*`, "gi"), "bearer"),
  pattern(/\b(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{20,255})/g, "github_token"),
  pattern(/\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}\b/g, "aws_key"),
  pattern(/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, "jwt"),
  (text, note) =>
    text.replace(
      /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/[^\s:@/?#"'<>]{0,256}:)(?!\[REDACTED:)[^\s/"'<>]{1,512}@/g,
      (_, before: string) => `${before}${note("url_password")}@`,
    ),
  pattern(
    /\b(?:sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,255}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|xox[abeoprs]-[A-Za-z0-9-]{10,255}|AIza[A-Za-z0-9_-]{35}|glpat-[A-Za-z0-9_-]{20,255}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,255})/g,
    "generic_api_key",
  ),
  assignments,
];

function pattern(regex: RegExp, kind: RedactionKind): Rule {
  return (text, note) => text.replace(regex, () => note(kind));
}

function kept(regex: RegExp, kind: RedactionKind): Rule {
  return (text, note) => text.replace(regex, (_, before: string) => before + note(kind));
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// A key that was cut off has no END line; what is left of it is removed too. Line ends may be escaped.
const KEY_REST = /(?:(?:\s|\\n|\\r){1,4}[A-Za-z0-9+/=]{16,200})*/y;

// Searched by hand: a lazy match for an END that never comes would start over at every BEGIN.
function privateKeys(text: string, note: Note): string {
  let out = "";
  let at = 0;
  let hasEnd = true;
  for (KEY_BEGIN.lastIndex = 0; ; KEY_BEGIN.lastIndex = at) {
    const begin = KEY_BEGIN.exec(text);
    if (!begin) return out + text.slice(at);
    const body = begin.index + begin[0].length;
    KEY_END.lastIndex = body;
    const end: RegExpExecArray | null = hasEnd ? KEY_END.exec(text) : null;
    hasEnd = end !== null;
    KEY_REST.lastIndex = body;
    out += text.slice(at, begin.index) + note("private_key");
    at = end ? end.index + end[0].length : body + (KEY_REST.exec(text)?.[0].length ?? 0);
  }
}

// name = value and name: value, quoted or not, also inside JSON that is itself a string.
const ASSIGNMENT =
  /(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{1,80})((?:\\*["'])?[ \t]{0,4}[:=][ \t]{0,4})(?!\[REDACTED:)(?:(\\*["'])(?!\[REDACTED:)([^\n]{1,4096}?)\3|([^\s,;"'`}\])&<>\\]{1,4096}))/g;

function assignments(text: string, note: Note): string {
  return text.replace(
    ASSIGNMENT,
    (whole, key: string, sign: string, quote: string | undefined, quoted: string, bare: string, at: number) => {
      const kind = secretKind(key);
      const value = quote ? quoted : bare;
      if (kind === null || !isSecretValue(key, value)) return whole;
      if (!quote && sign.includes(":") && !standsAlone(text, at, at + whole.length) && !/[\d\W]/.test(value))
        return whole;
      return `${key}${sign}${quote ?? ""}${note(kind)}${quote ?? ""}`;
    },
  );
}

// "the secret: never give up" is prose, "password: hunter" on a line of its own is not.
function standsAlone(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(from - 40, 0), from);
  const after = text.slice(to, to + 40);
  return /(?:^|\n)[ \t-]*$/.test(before) && /^[ \t]*(?:\r?\n|$)/.test(after);
}

const API_KEY = /(^|_)(api_?keys?|apikey)$/;
const SECRET =
  /(^|_)(passwords?|passwd|pwd|passphrase|secrets?|tokens?|access_?key(_id)?|private_?key|secret_?key|signing_?key|encryption_?key|credentials?|cookie|authorization)$/;
// Counts of tokens, and pagination tokens.
const HARMLESS =
  /(^|_)(tokens|(max|min|num|n|next|prev|page|continuation|pagination|sync|total|stop|eos|bos|pad)_token)$/;

/** What the name of a member or variable says about its value; null = nothing. */
export function secretKind(key: string): RedactionKind | null {
  const name = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-.\s]/g, "_")
    .toLowerCase();
  if (HARMLESS.test(name)) return null;
  if (API_KEY.test(name)) return "generic_api_key";
  return SECRET.test(name) ? "env_secret" : null;
}

const EMPTY =
  /^(null|none|nil|undefined|true|false|\*+|x+|\.{3}|<.*>|\$\{?.*|\{\{.*|process\.env.*|os\.environ.*|env\..*)$/i;

function isSecretValue(key: string, value: string): boolean {
  if (value === "" || EMPTY.test(value)) return false;
  return !(/^\d+(\.\d+)?$/.test(value) && /token$/i.test(key));
}

function walk(value: unknown, pointer: string, key: string | null, findings: Finding[]): unknown {
  const kind = key === null ? null : secretKind(key);
  if (typeof value === "string") {
    if (kind && key !== null && isSecretValue(key, value) && !value.includes("[REDACTED:")) {
      findings.push({ kind: key.toLowerCase() === "authorization" ? "bearer" : kind, pointer });
      return placeholder(key.toLowerCase() === "authorization" ? "bearer" : kind);
    }
    const { text, kinds } = redactText(value);
    findings.push(...kinds.map((k) => ({ kind: k, pointer })));
    return text;
  }
  if (typeof value === "number" && kind && key !== null && isSecretValue(key, String(value))) {
    findings.push({ kind, pointer });
    return placeholder(kind);
  }
  if (Array.isArray(value)) return value.map((item, i) => walk(item, `${pointer}/${i}`, key, findings));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, walk(v, `${pointer}/${escaped(k)}`, nameOf(value, k), findings)]),
  );
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

// {name: "api_key", value: "..."} is treated like {api_key: "..."}.
function nameOf(owner: object, key: string): string {
  if (key !== "value") return key;
  const name = "name" in owner ? owner.name : "key" in owner ? owner.key : key;
  return typeof name === "string" ? name : key;
}

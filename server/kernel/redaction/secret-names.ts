// What a name says about its value, and which values under such a name are no secrets: counts, variables, types, calls.
import type { RedactionKind } from "./ruleset";

const API_KEY = /(^|_)(api_?keys?|apikey)$/;
const SECRET =
  /(^|_)(passwords?|passwd|pwd|passphrase|secrets?|tokens?|access_?key(_id)?|private_?key|secret_?key|signing_?key|encryption_?key|account_?key|credentials?|cookie|client_?secret|auth_?token|authtoken|access_?token|refresh_?token)$/;
// Counts of tokens, and pagination tokens.
const HARMLESS =
  /(^|_)(tokens|(max|min|num|n|next|prev|page|continuation|pagination|sync|total|stop|eos|bos|pad)_token)$/;

/** What the name of a member or variable says about its value; null = nothing. */
export function secretKind(key: string): RedactionKind | null {
  const name = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-.\s:]/g, "_")
    .toLowerCase();
  if (HARMLESS.test(name)) return null;
  if (API_KEY.test(name)) return "generic_api_key";
  if (/(^|_)authorization$/.test(name)) return "bearer";
  return SECRET.test(name) ? "env_secret" : null;
}

const EMPTY = /^(null|none|nil|undefined|true|false|\*+|x+|\.{3,}|…)$/i;
// What stands for a value that is elsewhere. A password may begin with a dollar sign too, but is then no name of a variable.
const REFERENCE =
  /^(?:[A-Za-z]+ )?(?:(?:\$?\{[^{}]{1,80}\})+|\{\{[^{}]{1,80}\}\}|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)|\$\([A-Za-z_./-]{1,80}\)?|<[^<>]{1,80}>|%\(?[A-Za-z_]*\)?s?%?|process\.env[\w.[\]"']*|os\.environ.*|env\.\w+)$/;

/** A value of this name, anywhere. */
export function isSecretValue(key: string, value: string): boolean {
  if (value.length > 256) return true;
  if (value.trim() === "" || EMPTY.test(value) || REFERENCE.test(value)) return false;
  if (secretKind(key) === "bearer" && SCHEME.test(value)) return false;
  return !(/^\d+(\.\d+)?$/.test(value) && /token$/i.test(key));
}
const SCHEME = /^(bearer|basic|token|digest|negotiate)$/i;

/** Types, calls and members of a program, where a value without quotes would be: `token: string`, `token = readToken(`. */
export function isCode({ key, value, isAlone }: { key: string; value: string; isAlone: boolean }): boolean {
  if (value.length === 1) return true;
  if (value.length > 80 || /\d/.test(value)) return false;
  if (/^[({[?]|^[|>][+-]?$/.test(value) || /^[\w$.?!]+[([]/.test(value) || TYPE.test(value)) return true;
  const isMember = /^[a-zA-Z_$]+(?:\??\.[a-zA-Z_$]+)+!?$/.test(value);
  return !isAlone && (isMember || lastWord(key) === value.toLowerCase());
}
const lastWord = (key: string): string | undefined => /[A-Z]?[a-z]+$|[A-Z]+$/.exec(key)?.[0].toLowerCase();
const TYPE =
  /^(?:string|number|boolean|str|int|bytes|any|unknown|object|await|new|this|typeof|readonly|Optional|String|Buffer|Uint8Array)$/;

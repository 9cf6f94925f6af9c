// Tokens that are known by how they look, wherever they stand. A token has no upper length: what is left of a longer one would still
// be a part of a secret.
import type { Hit } from "./hits";
import type { RedactionKind } from "./ruleset";

// Not within a word. Hex and base64 have no such beginnings after a letter often enough to matter.
const START = "(?<![A-Za-z0-9])";

/** Group 1, if there is one, stands before the secret and is kept. */
const shapes: { kind: RedactionKind; regex: RegExp }[] = [
  {
    kind: "bearer",
    regex: /(\bauthorization["'\\]{0,4}\s?[:=]\s?["'\\]{0,4}(?:bearer|basic|token)\s+)(?![<$…{])[^\s"',;\\`]+/gi,
  },
  // "the bearer authentication scheme" is prose: a token has a digit.
  { kind: "bearer", regex: /(\bbearer\s+)(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{8,}=*/gi },
  {
    kind: "github_token",
    regex: new RegExp(`${START}(?:gh[pousr]_[A-Za-z0-9_]{16,}|github_pat_[A-Za-z0-9_]{20,})`, "g"),
  },
  {
    kind: "aws_key",
    regex: new RegExp(
      `${START}(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
      "g",
    ),
  },
  {
    kind: "jwt",
    regex: new RegExp(String.raw`${START}eyJ[A-Za-z0-9_-]{8,}\.{1,2}[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}`, "g"),
  },
  {
    kind: "url_password",
    // A reference to a variable is no password.
    regex:
      /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/[^\s:@/?#"'<>]{0,256}:)(?!\$?\{[^}@\s]{1,80}\}+@|\$(?:[A-Z_][A-Z0-9_]{0,80}|[a-z_]{1,80})@)[^\s/"'<>]{1,512}(?=@)/g,
  },
  // So particular that letters before it do not matter.
  { kind: "generic_api_key", regex: /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{32,}/g },
  // A token in the place of the user's name.
  {
    kind: "url_password",
    regex: /(\bhttps?:\/\/)(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,255}(?=(?::x-oauth-basic)?@)/g,
  },
  // A cookie has a value; a sentence about cookies has none.
  { kind: "env_secret", regex: /(\b(?:set-)?cookie["'\\]{0,4}\s?:\s?["'\\]{0,4})(?=[^\s"'\\=]{1,200}=)[^\r\n"'\\]+/gi },
];

/** Keys of services, by the prefix that each gives its own. */
const prefixes: [prefix: string, rest: string][] = [
  ["sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?", "[A-Za-z0-9_-]{20,}"],
  ["[sr]k_(?:live|test)_", "[A-Za-z0-9]{16,}"],
  ["whsec_", "[A-Za-z0-9+/=]{16,}"],
  ["(?:xox[abceoprs]|xapp)-", "[A-Za-z0-9-]{10,}"],
  ["AIza", "[A-Za-z0-9_-]{35,}"],
  ["gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent)-", "[A-Za-z0-9_.-]{20,}"],
  ["npm_", "[A-Za-z0-9]{36,}"],
  ["(?:hf|api_org)_", "[A-Za-z0-9]{30,}"],
  ["gsk_", "[A-Za-z0-9]{32,}"],
  ["xai-", "[A-Za-z0-9]{32,}"],
  ["shp(?:pa|ca|at|ss|ua|tka)_", "[A-Za-z0-9]{32,}"],
  ["lin_(?:api|oauth)_", "[A-Za-z0-9]{32,}"],
  ["(?:ntn|secret)_", "[A-Za-z0-9]{43,}"],
  ["figd_", "[A-Za-z0-9_-]{32,}"],
  ["dckr_(?:pat|oat)_", "[A-Za-z0-9_-]{20,}"],
  ["glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8,}"],
  ["glc_", "[A-Za-z0-9+/=]{32,}"],
  ["hv[sbr]\\.", "[A-Za-z0-9_-]{24,}"],
  ["tskey-[a-z]{2,12}-", "[A-Za-z0-9-]{16,}"],
  ["vc[prkai]_", "[A-Za-z0-9]{24,}"],
  ["dapi", "[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Za-z0-9])"],
  ["dop_v1_", "[a-f0-9]{64,}"],
  ["pypi-", "[A-Za-z0-9_-]{80,}"],
  ["ops_", "eyJ[A-Za-z0-9+/=_-]{80,}"],
];
const KEYS = prefixes.map(([prefix, rest]) => prefix + rest).join("|");
const keys = new RegExp(`${START}(?:${KEYS})`, "g");

// Written onto what stands before it, as in "Bearersk-...": a word that announces a secret, or any letter where the beginning is so
// particular that no word and no base64 has it. "task-..." and "desk-..." are words.
const LABEL = "[Bb]earer|BEARER|[Tt]oken|TOKEN|[Kk]ey|KEY|[Aa]uth|AUTH|[Bb]asic|[Ss]ecret|SECRET|[Pp]assword|PASSWORD";
const glued: { kind: RedactionKind; regex: RegExp }[] = [
  { kind: "generic_api_key", regex: new RegExp(`(${LABEL})(?:${KEYS})`, "g") },
  {
    kind: "generic_api_key",
    regex:
      /(?<=[A-Za-z0-9])(?:sk-(?:(?:ant|proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|(?=[a-z0-9]{0,80}[A-Z])(?=[A-Z0-9]{0,80}[a-z])(?=[A-Za-z]{0,80}[0-9])[A-Za-z0-9]{40,})|[sr]k_live_[A-Za-z0-9]{16,}|glpat-[A-Za-z0-9_-]{20,}|xox[abp]-[0-9]{6,}-[A-Za-z0-9-]{10,})/g,
  },
  {
    kind: "github_token",
    regex: /(?<=[A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/g,
  },
  {
    kind: "aws_key",
    regex: /(?:(?<=[a-z])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])|(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?=[a-z]))/g,
  },
  // Both halves of it begin as JSON does.
  { kind: "jwt", regex: /(?<=[A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g },
];
const all = [...shapes, { kind: "generic_api_key" as const, regex: keys }, ...glued];

export function findTokens(text: string): Hit[] {
  return all.flatMap(({ kind, regex }) =>
    Array.from(text.matchAll(regex), (match) => ({
      kind,
      from: match.index + (match[1]?.length ?? 0),
      to: match.index + match[0].length,
    })),
  );
}

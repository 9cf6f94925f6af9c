// Secrets planted anywhere in a text or a structure: none is left, and redacting twice is redacting once.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactText, redactValue } from "./redact";

// With a digit, as tokens have one, and long enough not to occur by chance.
const core = fc
  .string({
    unit: fc.constantFrom(..."abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"),
    minLength: 44,
    maxLength: 60,
  })
  .map((text) => `${text}7`);
const upper = core.map((text) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "Q")
    .slice(0, 16),
);
const password = fc
  .string({ unit: fc.constantFrom(..."abcXYZ019!$%'\"\\;,&#@ "), minLength: 2, maxLength: 12 })
  .map((text) => `${text[0]}Zq8w${text}Zq8w`);

type Planted = { text: string; secrets: string[] };
const plant = (secret: fc.Arbitrary<string>, write: (secret: string) => string): fc.Arbitrary<Planted> =>
  secret.map((s) => ({ text: write(s), secrets: [s] }));

const tokens = fc.oneof(
  ...[
    "ghp_",
    "github_pat_",
    "sk-ant-api03-",
    "sk-proj-",
    "xoxb-",
    "npm_",
    "hf_",
    "glpat-",
    "shpat_",
    "lin_api_",
    "AIza",
    "gsk_",
  ].map((prefix) => plant(core, (s) => prefix + s)),
  plant(upper, (s) => `AKIA${s}`),
  plant(core, (s) => `eyJhbGciOiJIUzI1NiJ9.${s}.${s}`),
  plant(core, (s) => `SG.${s.slice(0, 22)}.${s}`),
  plant(core, (s) => `Authorization: Bearer ${s}`),
  plant(core, (s) => `authorization=Basic ${s}==`),
  plant(core, (s) => `postgres://ann:${s}@db.internal:5432/yard`),
  plant(core, (s) => `https://${s}:x-oauth-basic@github.com/a/b`),
  plant(core, (s) => `-----BEGIN RSA PRIVATE KEY-----\nMIIE${s}\n${s}\n-----END RSA PRIVATE KEY-----`),
  plant(core, (s) => `https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/${s.slice(0, 24)}`).map((p) => ({
    ...p,
    secrets: p.secrets.map((s) => s.slice(0, 24)),
  })),
);
const named = fc.oneof(
  plant(password, (s) => JSON.stringify({ password: s })),
  plant(password, (s) => JSON.stringify({ cmd: JSON.stringify({ client_secret: s }) })),
  plant(core, (s) => `"cmd": "mysql --password=${s} -h db"`),
  plant(core, (s) => `deploy --api-key ${s} --dry-run`),
  plant(core, (s) => `<password>${s}</password>`),
  plant(core, (s) => `API_TOKEN := "${s}"`),
  plant(core, (s) => `GET /x?page=2&access_token=${s}&y=1`),
);
const prose = fc.constantFrom(
  "The run ended.",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "max_tokens: 4096",
  "a 'quoted' word",
  "token",
  "id 550e8400-e29b-41d4-a716-446655440000",
  "{",
  "[REDACTED:jwt]",
);
const mixture = fc
  .array(
    fc.oneof(
      tokens,
      named,
      prose.map((text): Planted => ({ text, secrets: [] })),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => ({ text: parts.map((p) => p.text).join("\n"), secrets: parts.flatMap((p) => p.secrets) }));

/** As it is, and as JSON writes it at any depth. */
function expectNone(written: string, secrets: readonly string[]): void {
  for (const secret of secrets)
    for (let form = secret, depth = 0; depth < 4; depth++, form = JSON.stringify(form).slice(1, -1))
      expect(written).not.toContain(form);
}

describe("nothing planted is left", () => {
  test("in text", () => {
    fc.assert(
      fc.property(mixture, ({ text, secrets }) => {
        const once = redactText(text);
        expectNone(once.text, secrets);
        expect(redactText(once.text)).toEqual({ text: once.text, kinds: [] });
      }),
      { numRuns: 500 },
    );
  });
  test("in members, their names, lists and JSON in strings", () => {
    fc.assert(
      fc.property(mixture, tokens, ({ text, secrets }, token) => {
        const value = {
          a: [{ note: text }],
          [token.text]: 1,
          log: JSON.stringify({ lines: [text] }),
          deep: { b: { c: text } },
        };
        const once = redactValue(value);
        expectNone(JSON.stringify(once), [...secrets, ...token.secrets]);
        expect(redactValue(once.value)).toEqual({ value: once.value, findings: [] });
      }),
      { numRuns: 250 },
    );
  });
  test("wherever a key is cut", () => {
    const lines = Array.from({ length: 12 }, (_, i) => `${"MIIEabc+/9".repeat(6)}${i}xyz`);
    const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
    for (let at = 30; at < key.length - 30; at += 7) {
      expect(redactText(key.slice(0, at)).text).not.toMatch(/MIIEabc|9MII/);
      expect(redactText(`${key.slice(at)}The log ends.`).text).not.toMatch(/MIIEabc|9MII/);
    }
  });
});

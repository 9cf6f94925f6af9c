// Secrets that are written otherwise than they are read: encoded, with signs that nobody sees, broken over lines.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { redactText, redactValue } from "./redact";

const SECRET = "[REDACTED:env_secret]";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const token = "ghp_abcdefghij0123456789ABCDEFGHIJ012345";
const filler = (length: number) => `${"word ".repeat(40).slice(0, length - 1)} `;

test.each([
  [
    "percent-encoded",
    "GET /to?u=%2Fx%3Fpassword%3Dhunter2%26page%3D2 now",
    `GET /to?u=%2Fx%3Fpassword%3D${SECRET}%26page%3D2 now`,
  ],
  ["percent-encoded twice", "password%253Dhunter2", `password%253D${SECRET}`],
  ["JSON in an address", "x=%7B%22password%22%3A%22two%20words%22%7D", `x=%7B%22password%22%3A%22${SECRET}%22%7D`],
  ["an entity", "password&#61;hunter2", `password&#61;${SECRET}`],
  ["a hexadecimal entity", "password&#x3D;hunter2", `password&#x3D;${SECRET}`],
  ["JSON in HTML", "{&quot;password&quot;:&quot;hunter2&quot;}", `{&quot;password&quot;:&quot;${SECRET}&quot;}`],
  ["an element in HTML", "&lt;password&gt;hunter2&lt;/password&gt;", `&lt;password&gt;${SECRET}&lt;/password&gt;`],
  ["escaped in JSON", "of password\\u003dhunter2\\u0026page=2", `of password\\u003d${SECRET}\\u0026page=2`],
  ["a full-width colon", "password：hunter2，next", `password：${SECRET}，next`],
  ["a no-break space", "password:\u00a0hunter2", `password:\u00a0${SECRET}`],
  ["a soft hyphen in the name", "pass\u00adword=hunter2", `pass\u00adword=${SECRET}`],
  ["a zero-width space in the name", "pass\u200bword: hunter2", `pass\u200bword: ${SECRET}`],
  ["a zero-width space in a token", `see ${token.slice(0, 9)}\u200b${token.slice(9)}.`, "see [REDACTED:github_token]."],
  ["a name and value in base64", `data ${base64("user=ann\npassword=hunter2\n")}.`, `data ${SECRET}.`],
  [
    "basic authentication",
    `setHeader("Authorization", "Basic ${base64("ann:hunter2")}")`,
    'setHeader("Authorization", "Basic [REDACTED:bearer]")',
  ],
  ["a registry's auth", `{"auth": "${base64("ann:hunter2")}"}`, '{"auth": "[REDACTED:bearer]"}'],
  ["_auth of npm", `//npm.example/:_auth=${base64("ann:hunter2")}`, "//npm.example/:_auth=[REDACTED:bearer]"],
  [
    "base64 of several lines",
    `${base64(`${filler(120)}password=hunter2 ${filler(60)}`).replace(/.{76}/g, "$&\n")}\nend`,
    `${SECRET}\nend`,
  ],
  [
    "a token broken at 80",
    `${filler(70)}${token.slice(0, 10)}\n${token.slice(10)} is ours`,
    `${filler(70)}[REDACTED:github_token] is ours`,
  ],
  [
    "broken at a width that two lines have",
    `${filler(49)}x\n${filler(40)}${token.slice(0, 10)}\n${token.slice(10)}`,
    `${filler(49)}x\n${filler(40)}[REDACTED:github_token]`,
  ],
])("found: %s", (_what, given, wanted) => {
  const once = redactText(given);
  expect(once.text).toBe(wanted);
  expect(redactText(once.text)).toEqual({ text: once.text, kinds: [] });
});

test("a member whose name has a sign that nobody sees", () => {
  expect(redactValue({ "pass\u200bword": "hunter2", ｐａｓｓｗｏｒｄ: "hunter2" }).value).toEqual({
    "pass\u200bword": SECRET,
    ｐａｓｓｗｏｒｄ: SECRET,
  });
});

describe("left as it is", () => {
  test.each([
    "token：用于身份验证的令牌。",
    "100%25 of the tokens, a%20b, x=1%262",
    "A &quot;token&quot; &amp; its use&nbsp;here",
    `picture ${Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49]).toString("base64")}`,
    `plain words ${base64("The run ended with three of four turns.")}`,
    "basic authentication is not basic knowledge",
    'the auth: "required" option, auth = enabled',
    "Zero\u200bwidth, soft\u00adhyphen and\u00a0more",
  ])("%j", (given) => expect(redactText(given)).toEqual({ text: given, kinds: [] }));
  test.each([
    ["a line with its own name", `${filler(40)}${token}\nNEXT_STEP=build the thing`],
    ["a sentence", `${filler(40)}${token}\nUse it well.`],
    ["a time", `${filler(40)}${token}\n2026-01-02 12:00 done`],
    ["a list", `key one: ${token}\nkey two: ${token}`],
  ])("what comes after a token at the end of a line: %s", (_what, given) =>
    expect(redactText(given).text).toBe(given.replaceAll(token, "[REDACTED:github_token]")),
  );
});

test("a value without its closing quote ends before the letters of a line's end, not between them", () => {
  const once = redactText("\\npassword%3D&quot;%3D\\n").text;
  expect(once).toBe(`\\npassword%3D&quot;${SECRET}\\n`);
  expect(redactText(once).text).toBe(once);
  expect(redactText('a\\npassword="hunter2\\nnext').text).toBe(`a\\npassword="${SECRET}\\nnext`);
});

test("any text with signs that nobody sees in it is redacted once", () => {
  const piece = fc.constantFrom(
    ..."%3D|%22|&#61;|&quot;|：|\u200b|\u00ad|password|token|=|hunter2| |\n|\\u003d|\\n|cGFzc3dvcmQ9aHVudGVyMg==|[REDACTED:jwt]".split(
      "|",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const once = redactText(pieces.join(""));
      expect(redactText(once.text).text).toBe(once.text);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  "%3D",
  "password%3D",
  "token&#61;&quot;",
  "\u200b",
  "\\u003d",
  "\\\\u003d",
  `${"a".repeat(79)}\n`,
  `${base64("password=hunter2 and")} `,
  "auth=",
  "basic ",
  `${"a".repeat(70)}\n`,
])("a megabyte of %j is scanned in well under three seconds", (run) => {
  const text = run.repeat(Math.ceil(1_000_000 / run.length));
  expect(cpuMs(() => redactText(text))).toBeLessThan(3_000);
});

// The [redact] cases of the list, by number, and the pitfalls found with them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { redactText, redactValue } from "./redact";
import { secretKind } from "./secret-names";

const text = (t: string) => redactText(t).text;

describe("cases", () => {
  test("39 a bearer token", () => {
    expect(text("Authorization: Bearer abcdef1234567890")).toBe("Authorization: Bearer [REDACTED:bearer]");
  });
  test("41 an environment secret in a log", () => {
    expect(text("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY next")).toBe(
      "AWS_SECRET_ACCESS_KEY=[REDACTED:env_secret] next",
    );
  });
  test("43 a nested member; the key is kept", () => {
    const { value, findings } = redactValue({ db: { password: "hunter2" } });
    expect(value).toEqual({ db: { password: "[REDACTED:env_secret]" } });
    expect(findings).toEqual([{ kind: "env_secret", pointer: "/db/password" }]);
  });
  test("45 a PEM block over several lines is one placeholder", () => {
    const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----";
    expect(text(`before\n${pem}\nafter`)).toBe("before\n[REDACTED:private_key]\nafter");
    expect(text(JSON.stringify({ pem }))).toBe('{"pem":"[REDACTED:private_key]"}');
  });
});

describe("kinds", () => {
  test.each([
    [
      "a key cut in the middle",
      "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAabcdef\nMIIEowIBAAKCAQEA",
      "[REDACTED:private_key]",
    ],
    ["github", "push with ghp_abcdefghijklmnopqrstuvwxyz0123456789 now", "push with [REDACTED:github_token] now"],
    ["github, fine-grained", "github_pat_11ABCDEFG0abcdefghij_klmnop", "[REDACTED:github_token]"],
    ["aws", "id AKIAIOSFODNN7EXAMPLE.", "id [REDACTED:aws_key]."],
    ["jwt", "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN", "t=[REDACTED:jwt]"],
    ["url", "postgres://user:s3cr@t@db:5432/x", "postgres://user:[REDACTED:url_password]@db:5432/x"],
    ["openai style", "key sk-proj-abcdefghijklmnopqrstuvwx", "key [REDACTED:generic_api_key]"],
    ["basic", "authorization: basic dXNlcjpwYXNz", "authorization: basic [REDACTED:bearer]"],
    ["api key", "x-api-key: 0123abcd", "x-api-key: [REDACTED:generic_api_key]"],
    ["query string", "GET /x?token=abc123&page=2", "GET /x?token=[REDACTED:env_secret]&page=2"],
    ["yaml", "db:\n  password: hunter\n  name: x", "db:\n  password: [REDACTED:env_secret]\n  name: x"],
    ["quoted", 'PASSWORD="two words" x', 'PASSWORD="[REDACTED:env_secret]" x'],
    [
      "in the value of another name",
      '"cmd": "mysql --password=hunter2 db"',
      '"cmd": "mysql --password=[REDACTED:env_secret] db"',
    ],
    ["as an argument", "login --password hunter2 now", "login --password [REDACTED:env_secret] now"],
    ["after an escaped line end", '"a\\npassword=hunter2\\nb"', '"a\\npassword=[REDACTED:env_secret]\\nb"'],
    ["a quote in it", '{"password":"a\\"b\\\\","x":1}', '{"password":"[REDACTED:env_secret]","x":1}'],
    ["cut off", 'x password="hunt', 'x password="[REDACTED:env_secret]'],
    ["an environment file", "PASSWORD=a,b&c;d\nX=1", "PASSWORD=[REDACTED:env_secret]\nX=1"],
    ["a dollar sign", "PASSWORD=$uper5ecret", "PASSWORD=[REDACTED:env_secret]"],
    ["a mark", "password: !super-secret", "password: [REDACTED:env_secret]"],
    ["assigned with :=", 'password := "hunter2"', 'password := "[REDACTED:env_secret]"'],
    ["compared", 'if (token === "abc1") {', 'if (token === "[REDACTED:env_secret]") {'],
    ["an element", "<password>hunter2</password>", "<password>[REDACTED:env_secret]</password>"],
    ["cookies", "Cookie: a=1; b=2\nx", "Cookie: [REDACTED:env_secret]\nx"],
    ["two in one", "token=ghp_abcdefghijklmnopqrstuvwxyz0123456789-x", "token=[REDACTED:github_token]"],
    [
      "its middle looks like another",
      "Authorization: Bearer ab+AKIAIOSFODNN7EXAMPLE+cd",
      "Authorization: Bearer [REDACTED:bearer]",
    ],
    ["a name that is a secret too", "ghp_abcdefghijklmnopqrstuvwxyz0123456789=1", "[REDACTED:github_token]=1"],
    ["json in a string", '{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[REDACTED:env_secret]\\"}'],
  ])("%s", (_what, given, wanted) => {
    expect(text(given)).toBe(wanted);
  });
  test("members by name, in lists, as name and value, and numbers", () => {
    expect(
      redactValue({
        apiKey: "abc",
        clientSecret: "s3",
        secrets: ["a", "b"],
        pin: { password: 1234 },
        fields: [{ name: "api_key", value: "zzz" }],
        headers: { Authorization: "abc" },
      }).value,
    ).toEqual({
      apiKey: "[REDACTED:generic_api_key]",
      clientSecret: "[REDACTED:env_secret]",
      secrets: ["[REDACTED:env_secret]", "[REDACTED:env_secret]"],
      pin: { password: "[REDACTED:env_secret]" },
      fields: [{ name: "api_key", value: "[REDACTED:generic_api_key]" }],
      headers: { Authorization: "[REDACTED:bearer]" },
    });
  });
});

describe("what must not be redacted", () => {
  test.each([
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "max_tokens: 4096",
    "max_tokens=4096 total_tokens=12",
    "MAX_TOKEN: 4096",
    "next_page_token: abc123",
    "The secret: never give up. A token is a unit of text.",
    "the bearer authentication scheme",
    "password: $PASSWORD",
    "see https://example.com:8080/a@b and http://host/x?y=1:2@3",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "token: null",
    `authorization: Bearer $\{env:CRM_TOKEN}`,
    `headers: { "authorization": "Bearer $\{env:CRM_TOKEN}" }`,
    "send it as `Authorization: Bearer <token>`",
    `postgres://user:\${PASSWORD}@host/db`,
    "function login(token: string, password?: string): Promise<Token> {",
    "const token = await readToken(request); const secrets = [];",
    "login({ password: input.password, token })",
    "SWITCHYARD_TOKEN: z\n  .string()",
    "without the token: `status` only",
    "TOKEN=$(openssl rand -hex 32)",
    `document.cookie = \`$\{NAME}=1\``,
    "[REDACTED:env_secret] password: [REDACTED:env_secret]",
  ])("%s", (given) => {
    expect(redactText(given)).toEqual({ text: given, kinds: [] });
  });
  test("structures of ordinary keys", () => {
    const value = { max_tokens: 4096, tokens: [1, 2], public_key: "abc", token_count: 3, author: "a", key: "primary" };
    expect(redactValue(value)).toEqual({ value, findings: [] });
  });
});

test("names of members are redacted, stay apart, and no pointer tells one", () => {
  const [a, b] = ["AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPL2"];
  const done = redactValue({ [a]: 1, [b]: { password: "x1" } });
  expect(done).toEqual({
    value: { "[REDACTED:aws_key]": 1, "[REDACTED:aws_key] 2": { password: "[REDACTED:env_secret]" } },
    findings: [
      { kind: "aws_key", pointer: "/[REDACTED:aws_key]" },
      { kind: "aws_key", pointer: "/[REDACTED:aws_key] 2" },
      { kind: "env_secret", pointer: "/[REDACTED:aws_key] 2/password" },
    ],
  });
  expect(redactValue(done.value)).toEqual({ value: done.value, findings: [] });
});

test("redacting twice is redacting once", () => {
  const given = [
    "https://u:p4ss@host AWS_SECRET_ACCESS_KEY=wJalr Authorization: Bearer abcdef1234567890",
    'password: "hunter2" token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN',
  ];
  for (const one of given) {
    const once = redactText(one);
    expect(once.kinds.length).toBeGreaterThan(1);
    expect(redactText(once.text)).toEqual({ text: once.text, kinds: [] });
  }
  const once = redactValue({ db: { password: "hunter2", url: "redis://:abc@h" } });
  expect(redactValue(once.value)).toEqual({ value: once.value, findings: [] });
});

test("redacting any text is idempotent and never brings a secret back", () => {
  const piece = fc.constantFrom(
    "password",
    "token",
    "=",
    ": ",
    '"',
    "\\",
    "Bearer ",
    "abc123def",
    "://u:",
    "@h",
    " ",
    "\n",
    "sk-aaaaaaaaaaaaaaaaaaaaaaaa",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const once = redactText(pieces.join(""));
      expect(redactText(once.text).text).toBe(once.text);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  "password=",
  "authorization: ",
  'token="',
  "-----BEGIN PRIVATE KEY-----",
  "http://a:",
  "a.",
  "\\",
  "password=$",
  'token=\\"',
  "[REDACTED:jwt]token=",
  "-----END PRIVATE KEY-----\n",
  "<token>",
  "cookie: ",
])("a megabyte of %j is scanned in well under two seconds", (run) => {
  const text = run.repeat(Math.ceil(1_000_000 / run.length));
  expect(cpuMs(() => redactText(text))).toBeLessThan(2_000);
});

test("names of secrets", () => {
  expect(secretKind("DB_PASSWORD")).toBe("env_secret");
  expect(secretKind("accessToken")).toBe("env_secret");
  expect(secretKind("X-Api-Key")).toBe("generic_api_key");
  expect(secretKind("max_tokens")).toBeNull();
  expect(secretKind("monkey")).toBeNull();
});

describe("a token written onto other text", () => {
  const rest = "abcdEFGH1234ijklMNOP5678qrstUV";
  const github = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
  test.each([
    [`key=sk-${rest}x`, "key=[REDACTED:generic_api_key]"],
    [`Bearersk-${rest}`, "Bearer[REDACTED:generic_api_key]"],
    [`keysk-ant-${rest} next`, "key[REDACTED:generic_api_key] next"],
    [`loadedsk-proj-${rest}`, "loaded[REDACTED:generic_api_key]"],
    [`x${github}`, "x[REDACTED:github_token]"],
    ["BearereyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN", "Bearer[REDACTED:jwt]"],
    ["idAKIAIOSFODNN7EXAMPLE", "id[REDACTED:aws_key]"],
    ["AKIAIOSFODNN7EXAMPLEx", "[REDACTED:aws_key]x"],
    [`keysk_live_${rest}`, "key[REDACTED:generic_api_key]"],
  ])("%s is found, and what it was written onto stays", (given, left) => {
    expect(text(given)).toBe(left);
    expect(text(left)).toBe(left);
  });
  test.each([
    "task-list-with-many-words-in-it-to-do",
    "task-01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "the disk-usage-report-of-the-whole-cluster",
    "risk-0193a1f2-77ab-7c31-9d1e-2f6b8c4d5e6f",
    "monkeys and tokens in a basket",
  ])("%s is left as it is", (given) => expect(text(given)).toBe(given));
});

describe("a value that looks like an id of the kernel", () => {
  const made = "019b1f2c3d4e7a5b8c6d7e8f90a1b2c3";
  const other = "019b1f2c3d4f7fff9abcdef012345678";
  test.each([made, `child_${made}`, `turn_${other}`])("%s is left as it is, time after time", (given) => {
    for (const id of [given, other, given]) expect(redactValue({ id })).toEqual({ value: { id }, findings: [] });
  });
  test.each(["shpat_", "hf_", "gsk_"])(
    "with the prefix %s it is a key of a service, also after the bare id was found clean",
    (prefix) => {
      redactValue([made, `child_${made}`]);
      for (const id of [made, other]) expect(redactValue([prefix + id]).value).toEqual(["[REDACTED:generic_api_key]"]);
    },
  );
  test("a name that says it is secret still hides it", () => {
    redactValue({ id: made });
    expect(redactValue({ api_key: made }).findings).toMatchObject([{ kind: "generic_api_key" }]);
  });
});

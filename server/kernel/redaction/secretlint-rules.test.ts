// What has to be true of secretlint's rules for us to run them: known, at once, with the range of the secret.
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { redactText } from "./redact";
import { KINDS, LEFT_OUT } from "./secretlint-kinds";
import { findBySecretlint } from "./secretlint-rules";

const body = "Ab3".repeat(40);
const samples: [message: string, text: string, wanted: string][] = [
  [
    "AWSSecretAccessKey",
    `aws_secret_access_key => "${body.slice(0, 40)}"`,
    'aws_secret_access_key => "[REDACTED:env_secret]"',
  ],
  [
    "PackageJSON_xOauthToken",
    `see http://a.b, git+https://${body.slice(0, 12)}:x-oauth-basic@github.com/a/b`,
    "see http://a.b, git+https://[REDACTED:github_token]:[REDACTED:url_password]@github.com/a/b",
  ],
  ["NPM_ACCESS_TOKEN", `npm_${body.slice(0, 36)}`, "[REDACTED:generic_api_key]"],
  ["BasicAuth", "https://ann:s3cret-word@tools.dev/x", "https://ann:[REDACTED:url_password]@tools.dev/x"],
  ["SLACK_TOKEN", "xapp-1-A0B1C2-3456-abc", "[REDACTED:generic_api_key]"],
  ["IncomingWebhook", "https://hooks.slack.com/services/T0/B0/x1 ok", "[REDACTED:generic_api_key] ok"],
  ["SENDGRID_KEY", `SG.${body.slice(0, 22)}.${body.slice(0, 43)}`, "[REDACTED:generic_api_key]"],
  ["SHOPIFY_KEY", `shpss_${body.slice(0, 32)}`, "[REDACTED:generic_api_key]"],
  ["GITHUB_TOKEN", `ghs_${body.slice(0, 36)}`, "[REDACTED:github_token]"],
  ["OPENAI_TOKEN", `sk-${body.slice(0, 20)}T3BlbkFJ${body.slice(0, 20)}`, "[REDACTED:generic_api_key]"],
  ["ANTHROPIC_API_KEY", `sk-ant-api03-${body.slice(0, 93)}AA`, "[REDACTED:generic_api_key]"],
  ["LINEAR_API_TOKEN", `lin_api_${body.slice(0, 40)}`, "[REDACTED:generic_api_key]"],
  [
    "OPS_TOKEN",
    `ops_${Buffer.from(JSON.stringify({ email: body, x: "" })).toString("base64")}`,
    "[REDACTED:generic_api_key]",
  ],
  [
    "MongoDBConnection",
    '{"url":"mongodb+srv://ann:s3#cret@db.x/y?z=1"}',
    '{"url":"mongodb+srv://ann:[REDACTED:url_password]@db.x/y?z=1"}',
  ],
  ["MySQLConnection", "jdbc:mysql://ann:s3<cret@db.x/y", "jdbc:mysql://ann:[REDACTED:url_password]@db.x/y"],
  ["PostgreSQLConnection", "postgres://an?n:s3cret@db.x/y", "postgres://an?n:[REDACTED:url_password]@db.x/y"],
  ["PrivateKey", `-----BEGIN EC PRIVATE KEY-----\nMI${body}\n-----END EC PRIVATE KEY-----`, "[REDACTED:private_key]"],
];

test("every rule of the preset is run, or left out for a reason, and answers at once", () => {
  const ids = rules.map(({ meta }) => meta.id);
  expect(Object.keys(LEFT_OUT).filter((id) => !ids.includes(id))).toEqual([]);
  const run = rules.filter(({ meta }) => !(meta.id in LEFT_OUT));
  // AWS ids are ours (the rule leaves them to an option), and .npmrc is known by its name, which a text does not have.
  const messages = run.flatMap(({ messages: of }) => Object.keys(of));
  const notAsked = ["AWSAccountID", "AWSAccessKeyID", "Npmrc_authToken"];
  expect(messages.filter((id) => !notAsked.includes(id)).toSorted()).toEqual(Object.keys(KINDS).toSorted());
  expect(samples.map(([message]) => message).toSorted()).toEqual(Object.keys(KINDS).toSorted());
  // findBySecretlint throws if a rule answers with a promise.
  for (const [message, text] of samples) expect(findBySecretlint(text), message).not.toEqual([]);
});

test.each(samples)("%s", (_message, text, wanted) => {
  expect(redactText(text).text).toBe(wanted);
  expect(redactText(wanted)).toEqual({ text: wanted, kinds: [] });
});

test("a comment in the text does not switch redaction off", () => {
  const token = `ghp_${body.slice(0, 36)}`;
  expect(redactText(`<!-- secretlint-disable -->\n${token} // secretlint-disable-line`).text).not.toContain(token);
});

test.each([
  ["openai", "sk-proj-"],
  ["sendgrid", `SG.${"_".repeat(128)}.${"_".repeat(257)}_ `],
  ["slack", `xoxb-a-${"a".repeat(41)}_`],
  ["1password", `ops_ey${"fQ".repeat(640)}x`],
  ["database", `mysql://${"a".repeat(100)}:${"b".repeat(200)}`],
  ["basic", `http://abcd:efgh@${"a.".repeat(128)}`],
  ["npm", "http://"],
  ["private key", `-----BEGIN PRIVATE KEY-----${"a".repeat(10_100)}`],
  ["aws", `aws_secret_access_key${" ".repeat(2000)}`],
  ["anthropic", `sk-ant-api03-${"A".repeat(200)}`],
])("%s: a megabyte is scanned in well under two seconds", (_rule, run) => {
  const text = run.repeat(Math.ceil(1_000_000 / run.length));
  expect(cpuMs(() => redactText(text))).toBeLessThan(2_000);
});

// Recall, false hits and speed of redaction. `node --import tsx bench/redaction.ts --fixtures <secretlint>/packages/@secretlint
// --cases <list of cases>`: the fixtures are in secretlint's repository only, so either folder may be absent and is then skipped.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { redactText } from "@/server/kernel/redaction/redact";
import { cpuMs } from "@/server/testing/cpu";

const { values } = parseArgs({ options: { fixtures: { type: "string" }, cases: { type: "string" } } });

type Report = { ruleId: string; message: string };
type Fixture = { rule: string; name: string; text: string; secrets: string[] };

function* readFixtures(root: string): Generator<Fixture> {
  for (const file of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const [, rule, name] = /^secretlint-rule-([^/]+)\/test\/snapshots\/([^/]+)\/output\.json$/.exec(file) ?? [];
    if (!rule || !name) continue;
    const folder = path.dirname(path.join(root, file));
    const input = fs.readdirSync(folder).find((one) => /^input|\.npmrc$|package.*\.json$/.test(one));
    const { messages } = JSON.parse(fs.readFileSync(path.join(root, file), "utf8")) as { messages?: Report[] };
    if (input === undefined || input.endsWith(".p12")) continue;
    const text = fs.readFileSync(path.join(folder, input), "utf8");
    // The message ends with what was found. Ranges are not used: some begin before the secret.
    const secrets = (messages ?? []).map(({ message }) => message.slice(message.indexOf(": ") + 2));
    yield { rule, name, text, secrets: secrets.filter((secret) => secret !== "" && text.includes(secret)) };
  }
}

function measureFixtures(root: string): void {
  const rows = new Map<string, { secrets: number; gone: number; clean: number; hits: number }>();
  for (const { rule, name, text, secrets } of readFixtures(root)) {
    const row = rows.get(rule) ?? { secrets: 0, gone: 0, clean: 0, hits: 0 };
    rows.set(rule, row);
    const done = redactText(text);
    for (const secret of secrets) {
      row.secrets++;
      if (isGone(done.text, secret)) row.gone++;
      else console.log(`left: ${rule} ${name}: ${secret.slice(0, 100)}`);
    }
    if (secrets.length > 0) continue;
    row.clean++;
    row.hits += done.kinds.length;
    if (done.kinds.length > 0) console.log(`hit without a report: ${rule} ${name}: ${done.kinds.join(", ")}`);
  }
  console.table(Object.fromEntries(rows));
}

/** Neither end of it is left. Of an address its host stays. */
const isGone = (text: string, secret: string): boolean =>
  /:\/\//.test(secret)
    ? !text.includes(secret)
    : !text.includes(secret.slice(0, 12)) && !text.includes(secret.slice(-12));

function measureCases(file: string): void {
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    const { text, kinds } = redactText(line);
    if (line.includes("[redact]")) console.log(`case: ${text}`);
    else if (kinds.length > 0) console.log(`hit in another case: ${text}`);
  }
}

function measureSpeed(): void {
  const words = "The run ended with 3 of 4 turns; see card 0193-77ab and the log of `npm test`.\n";
  const runs = { words, "token=\\": "token=\\", "sk-proj-": "sk-proj-", "SG.a.": `SG.a.${"a".repeat(257)} ` };
  for (const [name, run] of Object.entries(runs)) {
    const text = run.repeat(Math.ceil(1_000_000 / run.length));
    console.log(`a megabyte of ${JSON.stringify(name)}: ${Math.round(cpuMs(() => redactText(text)))} ms`);
  }
}

if (values.fixtures && fs.existsSync(values.fixtures)) measureFixtures(values.fixtures);
else console.log("fixtures: skipped, no folder given by --fixtures");
if (values.cases && fs.existsSync(values.cases)) measureCases(values.cases);
else console.log("cases: skipped, no file given by --cases");
measureSpeed();

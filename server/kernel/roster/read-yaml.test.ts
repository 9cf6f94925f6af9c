import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { DOCUMENT_BYTES_MAX, lineOfYaml, readYaml } from "./read-yaml";

async function refusal(text: string): Promise<string> {
  const error = await readYaml("p", text).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(KernelError);
  const { code, message } = error as KernelError;
  return `${code}: ${message}`;
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: ${i}`).join("\n");
const marks = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: &a${i} x\nz${i}: *a${i}`).join("\n");
const nested = "bcdefgh"
  .split("")
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`);
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${nested.join("\n")}`;

test.each<[string, string, RegExp]>([
  ["keys without end", keys(60_000), /bad_request: .*more than 200000 words and signs/],
  ["items without end", `a: [${"1,".repeat(30_000)}]`, /more than 20000 values/],
  ["brackets without end", "[".repeat(20_000), /nested deeper than 64 levels/],
  ["lists in lists", "- ".repeat(20_000), /nested deeper than 64 levels/],
  ["mappings in mappings", "{a: ".repeat(20_000), /nested deeper than 64 levels/],
  ["keys in keys", "? ".repeat(20_000), /nested deeper than 64 levels/],
  [
    "a level a line",
    Array.from({ length: 900 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    /nested deeper than 64 levels/,
  ],
  ["keys and lists by turns", "- ? ".repeat(10_000), /nested deeper than 64 levels/],
  ["a list that holds itself", "a: &a [*a]", /nested deeper than 64 levels/],
  ["aliases of aliases", bomb, /aliases \(\*name\) stand for more than 100 values/],
  ["a large text many times", `a: &a ${"x".repeat(600_000)}\nb: [*a, *a]`, /aliases make it too large/],
  ["each value by an alias of its own", marks(12_000), /more than 2000 anchors \(&name\) and aliases/],
  ["faults without end: escapes", `a: "${"\\x".repeat(400_000)}"`, /line 1, column \d+: .*escape/i],
  ["faults without end: brackets", `[${"}".repeat(190_000)}`, /line 1, column \d+: /],
  [
    "a tag that another program fills in",
    "a: 1\nb: !env HOME",
    /line 2, column 4: the tag !env is not known; write the value/,
  ],
  ["such a tag before a list", "b: !Join [a, b]", /the tag !Join is not known/],
  ["faults without end: directives", `${"%FOO bar\n".repeat(60_000)}---\na: 1`, /line \d+, column 1: .*%FOO/],
  [
    "a quote that never closes",
    'name: Broken\ntags: ["open\nmax_steps: 3\n',
    /not YAML: line 4, column 1: Missing closing/,
  ],
  ["an alias of nothing", "a: *nobody", /nobody/],
  ["a number that JSON has not", "a: .inf", /no number JSON can hold/],
  ["a list as a key", "? [a]\n: b", /line 1, column 3: a key must be plain text/],
  ["a set", "a: !!set {x, y}", /makes no plain value/],
  ["two documents", "a: 1\n---\nb: 1", /multiple documents/],
  ["a list at the top", "- a", /not a mapping/],
  ["more bytes than a card has", `a: ${"x".repeat(DOCUMENT_BYTES_MAX)}`, /payload_too_large: .*over 1048576 bytes/],
])("refused with a message: %s", async (_what, text, words) => expect(await refusal(text)).toMatch(words));

test.each([
  ["a: 1\nb: 2\na: 3", 'line 3, column 1: the key "a" is given twice'],
  ["x:\n  - {b: 1, b: 2}", 'line 2, column 12: the key "b" is given twice'],
  ["1: a\n'1': b", 'line 2, column 1: the key "1" is given twice'],
])("a key given twice is refused with its place: %j", async (text, words) =>
  expect(await refusal(text)).toContain(words),
);

test("a text is read as YAML 1.2, also where it says that it is 1.1", async () => {
  expect(await readYaml("p", "%YAML 1.1\n---\non: yes\ny: [no, off, 0o17]")).toEqual({
    on: "yes",
    y: ["no", "off", 15],
  });
});

test("allowed YAML is read as it is written", async () => {
  expect(await readYaml("p", "name: A\ntags: [one, two]\nshared: &s {deep: true}\nagain: *s\nnone: ~")).toEqual({
    name: "A",
    tags: ["one", "two"],
    shared: { deep: true },
    again: { deep: true },
    none: null,
  });
  expect(Object.keys(await readYaml("p", keys(15_000)))).toHaveLength(15_000);
});

test("the deepest allowed nesting is read", async () => {
  const value = await readYaml("p", `a: ${"[".repeat(60)}1${"]".repeat(60)}`);
  expect(JSON.stringify(value)).toBe(`{"a":${"[".repeat(60)}1${"]".repeat(60)}}`);
  expect(
    Object.keys(await readYaml("p", Array.from({ length: 60 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"))),
  ).toEqual(["a"]);
});

test("a key named after the prototype is an ordinary key", async () => {
  const value = await readYaml("p", "__proto__: {admin: true}\nconstructor: 1");
  expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

// Half a megabyte is read in a thread of its own, which a busy machine makes wait.
test("while a large text is read, everybody else continues", { timeout: 30_000 }, async () => {
  let turns = 0;
  let isReading = true;
  const turn = () => {
    turns++;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  await readYaml("p", keys(15_000));
  isReading = false;
  expect(turns).toBeGreaterThan(100);
});

test("a text that takes too long ends with its thread; the next one gets a new thread", async () => {
  const slow = readYaml("p", keys(15_000), 1);
  const next = readYaml("p", "name: next");
  await expect(slow).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("longer than 1 ms"),
  });
  expect(await next).toEqual({ name: "next" });
});

test("one project may have eight waiting; more are refused with the reason, and another project is served", async () => {
  const asked = Array.from({ length: 20 }, () => readYaml("many", "name: A"));
  const other = readYaml("other", "name: B");
  const answers = await Promise.allSettled(asked);
  const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  expect(refused).toHaveLength(11);
  for (const error of refused)
    expect(error).toMatchObject({ code: "busy", message: expect.stringContaining("8 of one project may wait") });
  expect(await other).toEqual({ name: "B" });
});

test("one project's bad texts delay another's by one text", async () => {
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const bad = Array.from({ length: 8 }, () => readYaml("bad", keys(15_000), 1).catch(note("bad")));
  const good = [1, 2].map((n) => readYaml("good", `name: ${n}`).then(note("good")));
  await Promise.all([...bad, ...good]);
  expect(order.slice(0, 4)).toEqual(["bad", "good", "bad", "good"]);
});

test("a place in the text is found by its key path", async () => {
  expect(await lineOfYaml("p", "name: A\ntags:\n  - one\n  - two", "tags.1")).toBe(4);
  expect(await lineOfYaml("p", "name: A", "llm_config.provider")).toBeUndefined();
});

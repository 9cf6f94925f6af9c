// Large files, good and hostile: while one is read, refused or imported, other requests are answered. The limit is the one that
// the fuzz test sets for every request. Most files have the maximum size. Those that are slow to read or count are smaller: a
// second of work shows whether it is sliced and off the event loop.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { importRun } from "./import-run";

const heldMsMax = 1_000;
const bytesMax = 67_108_864;
const format = "who-and-when" as const;

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p");
});
afterAll(() => kernel.close());

/** One part repeated between a beginning and an end, up to the maximum size of a file. */
const filled = (begin: string, part: string, end: string, size = bytesMax): Buffer => {
  const bytes = Buffer.alloc(size, part);
  const whole = Math.floor((size - begin.length - end.length) / part.length) * part.length;
  return Buffer.concat([Buffer.from(begin), bytes.subarray(0, whole), Buffer.from(end)]);
};
const human = '{"history":[{"role":"human","content":"a"}]';
let numbered = 0;

const hostile: [string, () => Buffer, RegExp][] = [
  ["lists in lists", () => Buffer.alloc(bytesMax, "["), /nested deeper than 200 levels/],
  ["keys without end", () => filled(`${human},"x":{`, '"k":1,', '"k":1}}'), /more than 1000000 values/],
  [
    "as many keys as there may be",
    () =>
      Buffer.from(`${human},${Array.from({ length: 200_000 }, () => `"k${numbered++}":${"1".repeat(50)}`).join(",")}}`),
    /^done$/,
  ],
  [
    "as many names",
    () =>
      Buffer.from(
        `${human},"system_prompt":{${Array.from({ length: 200_000 }, () => `"k${numbered++}":"x"`).join(",")}}}`,
      ),
    /system_prompt has 200000 entries; at most 1000/,
  ],
  [
    "one text",
    () => filled(`${human},"question":"`, "x", '"}'),
    /question has \d+ bytes; a card holds at most 1048576/,
  ],
  ["one name", () => filled(`${human},"system_prompt":{"`, "x", '":"a"}}'), /system_prompt \(a key\) has \d+ bytes/],
  ["blanks and then a fault", () => filled(human, "\n", "}}", bytesMax / 2), /line \d+, column 2: "}" after the end/],
  [
    "one text without an end",
    () => filled(`${human},"x":"`, "x", "", bytesMax / 2),
    /the end of the file inside a string/,
  ],
  ["no text", () => Buffer.alloc(bytesMax, Buffer.from([0xc3, 0x28])), /not UTF-8 text: byte 1 /],
  ["a key given a million times", () => filled(`${human},"x":{`, `"k":"${"x".repeat(90)}",`, '"k":1}}'), /^done$/],
  [
    "messages without end",
    () =>
      filled(
        '{"history":[',
        '{"role":"human","content":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","x":1},',
        "1]}",
      ),
    /at most 50000|more than 1000000 values/,
  ],
];

test.each(hostile)(
  "%s",
  async (_name, make, said) => {
    const bytes = make();
    expect(await heldBy(() => importRun(kernel, { project_id: "p", format, bytes }), said)).toBeLessThan(heldMsMax);
  },
  60_000,
);

const text = "All that was found was written down, and then it was read again. ".repeat(16_000).slice(0, 1_000_000);
const letters = "abcdefgh".split("");
const good: [string, () => Buffer][] = [
  [
    "an orchestrated log",
    () =>
      Buffer.from(
        JSON.stringify({ history: Array.from({ length: 16 }, (_, i) => ({ role: `Agent ${i}`, content: text })) }),
      ),
  ],
  [
    "a group chat",
    () =>
      Buffer.from(
        JSON.stringify({
          history: letters.flatMap((name) => [1, 2].map(() => ({ role: "user", name, content: text }))),
        }),
      ),
  ],
];

test.each(good)(
  "%s",
  async (_name, make) => {
    const bytes = make();
    expect(await heldBy(() => importRun(kernel, { project_id: "p", format, bytes }), /^done$/)).toBeLessThan(heldMsMax);
  },
  120_000,
);

test("the same as one field of a body", async () => {
  const bytes = filled(`{"format":"who-and-when","data":${human},"question":"`, "x", '"}}');
  const before = await countRows(kernel);
  expect(await heldBy(() => importRun(kernel, { project_id: "p", bytes }), /question has/)).toBeLessThan(heldMsMax);
  expect(await countRows(kernel)).toEqual(before);
}, 60_000);

/** The longest block of the event loop, in milliseconds. */
async function heldBy(work: () => Promise<unknown>, said: RegExp): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await new Promise((done) => setTimeout(done, 20));
  delay.reset();
  const outcome = await work().then(
    () => "done",
    (error: unknown) => {
      if (error instanceof KernelError) return error.message;
      throw error;
    },
  );
  await new Promise((done) => setTimeout(done, 20));
  delay.disable();
  expect(outcome).toMatch(said);
  return delay.max / 1e6;
}

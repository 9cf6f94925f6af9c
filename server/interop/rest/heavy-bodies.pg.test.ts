// The heaviest allowed bodies: while one is handled, other requests do not wait for its whole duration.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const { post } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "heavy");
});
afterAll(() => kernel.close());

const letters = (count: number) => {
  let state = 3;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(97 + ((state >>> 8) % 26));
  }).join("");
};

/** The longest processor time between two iterations of the event loop. */
async function heldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let since = process.cpuUsage();
  const turn = () => {
    const { user, system } = process.cpuUsage(since);
    longest = Math.max(longest, (user + system) / 1_000);
    since = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

test.each([
  ["three cards of a megabyte", 3, 1_000_000],
  ["hundreds of small ones", 480, 8_000],
])("%s of letters in no order", async (_what, count, size) => {
  const text = letters(size);
  const cards = Array.from({ length: count }, (_, i) => ({
    type: "sys.note",
    content: `${text.slice(i)}${text.slice(0, i)}`,
  }));
  const held = await heldMs(async () => expect((await post("/projects/heavy/cards", { cards })).status).toBe(200));
  expect(held).toBeLessThan(1_000);
});

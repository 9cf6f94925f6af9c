// What a killed process left behind goes, and nothing else does.
import fs from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { clearLeftIn, folderPrefix } from "./clear-left";

/** Above what Linux and macOS give. */
const NOBODY = 99_999_999;
const HOUR = 3_600_000;

test("folders of processes that are gone are cleared; those of living ones, and files of others, stay", async () => {
  const folder = makeScratch();
  const now = Date.now();
  const make = async (name: string, age: number): Promise<void> => {
    const made = path.join(folder, name);
    await fs.mkdir(made, { recursive: true });
    await fs.writeFile(path.join(made, "0"), "part");
    const then = new Date(now - age);
    await fs.utimes(path.join(made, "0"), then, then);
    await fs.utimes(made, then, then);
  };
  await make(`${folderPrefix(NOBODY)}old`, 2 * HOUR);
  await make(`${folderPrefix(NOBODY)}lately`, 1_000);
  await make(`${folderPrefix(process.ppid)}parent`, 48 * HOUR);
  await make(`${folderPrefix(process.pid)}before`, 2 * HOUR);
  await make(`${folderPrefix(process.pid)}mine`, 0);
  await make("switchyard-bundle-of-somebody", 48 * HOUR);
  await fs.writeFile(path.join(folder, `${folderPrefix(NOBODY)}file`), "not a folder");
  await clearLeftIn(folder, { now, began: now - HOUR });
  expect((await fs.readdir(folder)).toSorted()).toEqual(
    [
      `${folderPrefix(NOBODY)}file`,
      `${folderPrefix(NOBODY)}lately`,
      `${folderPrefix(process.ppid)}parent`,
      `${folderPrefix(process.pid)}mine`,
      "switchyard-bundle-of-somebody",
    ].toSorted(),
  );
  await removeScratch(folder);
});

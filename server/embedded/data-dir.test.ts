import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDataDir } from "./data-dir";

function scratch(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "yard-data-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("a folder is made with those above it, and one that is there is taken", () => {
  const dir = path.join(scratch(), "a/b");
  makeDataDir(dir);
  makeDataDir(dir);
  expect(fs.statSync(dir).isDirectory()).toBe(true);
});

test("a file in its place, or above it, is named with the setting", () => {
  const file = path.join(scratch(), "file");
  fs.writeFileSync(file, "");
  for (const dir of [file, path.join(file, "in/it")])
    expect(() => makeDataDir(dir)).toThrow(
      `The database cannot be stored in ${dir}: it is a file, or inside one. Set SWITCHYARD_DATA_DIR`,
    );
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be written is said to be so", () => {
  const dir = scratch();
  fs.chmodSync(dir, 0o500);
  expect(() => makeDataDir(path.join(dir, "yard"))).toThrow("this user cannot write there");
  expect(() => makeDataDir(dir)).toThrow("this user cannot write there");
});

// Node's own recursive mkdir never returns here.
test.skipIf(process.platform !== "linux")("a place where nothing can be made is told of at once", () => {
  expect(() => makeDataDir("/proc/switchyard")).toThrow("The database cannot be stored in /proc/switchyard");
});

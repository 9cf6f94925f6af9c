// The folder that the embedded Postgres lies in, made where it is missing. One that cannot be is said in words: "EPERM, mkdir"
// named neither the setting nor what to write there.
import fs from "node:fs";
import path from "node:path";

export function makeDataDir(dir: string): void {
  try {
    make(dir);
    fs.accessSync(dir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = reasons[code] ?? `the system answers ${code || String(error)}`;
    throw new Error(
      `The database cannot be kept in ${dir}: ${why}. Set SWITCHYARD_DATA_DIR to a folder that this user may write, or give this one to them.`,
      { cause: error },
    );
  }
}

// Folder by folder: with `recursive`, Node goes round for ever in /proc, where a parent that is there answers that it is not.
function make(dir: string): void {
  const is = fs.statSync(dir, { throwIfNoEntry: false });
  if (is?.isDirectory()) return;
  if (is) throw Object.assign(new Error(`${dir} is a file`), { code: "ENOTDIR" });
  make(path.dirname(dir));
  try {
    fs.mkdirSync(dir);
  } catch (error) {
    // Another process of ours was quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

const reasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "that file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "it is a file, or lies in one",
  ENOENT: "no folder can be made there",
};

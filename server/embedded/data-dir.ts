// The folder of the embedded Postgres, created if it is missing. An unusable one is explained: "EPERM, mkdir" named neither
// the setting nor the remedy.
import fs from "node:fs";
import path from "node:path";

export function makeDataDir(dir: string): void {
  try {
    make(dir);
    fs.accessSync(dir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = reasons[code] ?? `the system reports ${code || String(error)}`;
    throw new Error(
      `The database cannot be stored in ${dir}: ${why}. Set SWITCHYARD_DATA_DIR to a folder that this user can write to, or give this user access.`,
      { cause: error },
    );
  }
}

// Folder by folder: with `recursive`, Node loops for ever in /proc, where an existing parent answers that it does not exist.
function make(dir: string): void {
  const is = fs.statSync(dir, { throwIfNoEntry: false });
  if (is?.isDirectory()) return;
  if (is) throw Object.assign(new Error(`${dir} is a file`), { code: "ENOTDIR" });
  make(path.dirname(dir));
  try {
    fs.mkdirSync(dir);
  } catch (error) {
    // Another of our processes was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

const reasons: Record<string, string> = {
  EACCES: "this user cannot write there",
  EPERM: "this user cannot write there",
  EROFS: "that file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "it is a file, or inside one",
  ENOENT: "no folder can be created there",
};

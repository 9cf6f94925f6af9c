// Tells whether the built web app is the one of these sources: a hash of what the build reads, kept beside what it wrote.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export const root = path.join(import.meta.dirname, "..");
export const standalone = path.join(root, ".next/standalone");

const stampFile = path.join(standalone, "source-stamp");

// A time stamp would not do: a clone, a checkout and a copy all change times and not contents.
const folders = ["app", "components", "server", "prisma/schema", "public"];
const files = [
  "next.config.js",
  "instrumentation.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
const unread = /\.test\.tsx?$|^server\/(testing|worker|embedded)\//;

export function sourceStamp(): string {
  const hash = crypto.createHash("sha256");
  for (const file of [...folders.flatMap(filesIn), ...files].filter((name) => !unread.test(name)).sort()) {
    const full = path.join(root, file);
    if (fs.existsSync(full)) hash.update(`${file}\0`).update(fs.readFileSync(full)).update("\0");
  }
  return hash.digest("hex");
}

/** Null when there is no build. */
export function builtStamp(): string | null {
  return fs.existsSync(stampFile) ? fs.readFileSync(stampFile, "utf8") : null;
}

export function writeStamp(stamp: string): void {
  fs.writeFileSync(stampFile, stamp);
}

function filesIn(folder: string): string[] {
  const full = path.join(root, folder);
  if (!fs.existsSync(full)) return [];
  const entries = fs.readdirSync(full, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

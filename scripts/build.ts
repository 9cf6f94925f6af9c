// Builds the web app into .next/standalone, which runs without node_modules and without Next's command line.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { builtStamp, root, sourceStamp, standalone, writeStamp } from "./source-stamp";

const beatMs = 10_000;

/** Does nothing if the build matches the sources. */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  const built = builtStamp();
  if (built === sourceStamp()) return;
  say(
    built === null
      ? "Building the web app for the first time; this takes one to four minutes."
      : "The sources have changed since the last build; building the web app again.",
  );
  await build(say);
}

async function build(say: (line: string) => void): Promise<void> {
  const stamp = sourceStamp();
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const beat = setInterval(() => say(`Still building (${seconds()} s)`), beatMs);
  try {
    await run("prisma", ["generate", "--no-hints"]);
    await run("next", ["build"]);
    copyAssets();
    writeStamp(stamp);
  } catch (error) {
    removeBuild();
    throw error;
  } finally {
    clearInterval(beat);
  }
  say(`Built in ${seconds()} s.`);
}

// Turbopack remembers some failed builds and fails again after the cause is gone. `dev` belongs to a running `next dev`.
function removeBuild(): void {
  const output = path.join(root, ".next");
  const entries = fs.existsSync(output) ? fs.readdirSync(output) : [];
  for (const entry of entries) {
    if (entry !== "dev") fs.rmSync(path.join(output, entry), { recursive: true, force: true });
  }
}

// Next leaves these two to a web server in front of it; here there is none.
function copyAssets(): void {
  fs.cpSync(path.join(root, ".next/static"), path.join(standalone, ".next/static"), { recursive: true });
  const assets = path.join(root, "public");
  if (fs.existsSync(assets)) fs.cpSync(assets, path.join(standalone, "public"), { recursive: true });
}

function run(tool: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(root, "node_modules/.bin", tool), args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Stopping during a build must not leave the build running.
    const leave = () => child.kill();
    process.once("exit", leave);
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", leave);
      if (code === 0) resolve();
      else reject(new Error(`"${tool} ${args.join(" ")}" failed:\n${output}`));
    });
  });
}

if (process.argv[1] === import.meta.filename) {
  await build(console.log).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

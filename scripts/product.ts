// The whole product in one terminal: database, migrations, boot steps, the web server, one worker; and its orderly end.
import { makeDataDir } from "@/server/embedded/data-dir";
import { type Keeper, keepEmbedded } from "@/server/embedded/keep";
import { type Database, resolveDatabase } from "@/server/embedded/resolve-database";
import { stopIfLastUser } from "@/server/embedded/stop";
import { type Env, env, unknownSettings } from "@/server/env";
import { urlsOf } from "@/server/guard";
import { migrate } from "@/server/migrate";
import { bootSteps } from "./boot-steps";
import { childEnv } from "./child-env";
import type { Part } from "./parts";
import { stopWhenAsked } from "./stop-when-asked";
import { type Supervised, supervise } from "./supervise";
import { refuseTakenPort, waitForWeb } from "./web-address";

/**
 * `parts` = what the settings make of them. `prepare` runs between the checks that cost nothing and the database. Ends the
 * process when all is stopped.
 */
export async function runProduct(parts: () => Part[], prepare: (say: Say) => Promise<void>): Promise<void> {
  const running: Running = { database: null, keeper: null, children: [] };
  const stop = stopWhenAsked(
    (code) => stopAll(running, code),
    () => {
      for (const child of running.children) child.hurry();
    },
  );
  try {
    await boot(parts(), prepare, running);
  } catch (error) {
    // What is interrupted fails; that is no news to the one who interrupted it.
    if (!running.isStopping) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}

type Say = (line: string) => void;
type Running = { database: Database | null; keeper: Keeper | null; children: Supervised[]; isStopping?: boolean };

async function boot(parts: Part[], prepare: (say: Say) => Promise<void>, running: Running): Promise<void> {
  const { HOST, PORT, DATABASE_URL, SWITCHYARD_DATA_DIR } = env();
  for (const line of unknownSettings(process.env)) say(line);
  await refuseTakenPort(HOST, PORT);
  // Checked here, and not after a build of a minute.
  if (DATABASE_URL === undefined) makeDataDir(SWITCHYARD_DATA_DIR);
  await prepare(say);
  if (running.isStopping) return;
  running.database = await resolveDatabase(say);
  if (running.database.embedded) running.keeper = keepEmbedded(running.database.embedded);
  await migrate(running.database.url, { onProgress: say, mayBeOlder: env().SWITCHYARD_NEWER_DATABASE === "allow" });
  for (const step of bootSteps) {
    say(step.title);
    await step.run(running.database.url);
  }
  if (running.isStopping) return;
  say(`Starting: ${parts.map((part) => part.name).join(", ")}`);
  const [url = "", ...others] = urlsOf(env());
  running.children = parts.map(({ alivePath, ...part }) =>
    supervise({
      ...part,
      env: childEnv(running.database?.url),
      ...(alivePath !== undefined && { aliveUrl: `${url}${alivePath}` }),
    }),
  );
  await waitForWeb(url);
  if (running.isStopping) return;
  console.log(`\n  Switchyard is at ${[url, ...others].join(", ")}\n${doorNote(env())}  Ctrl-C stops it.\n`);
}

// Someone who listens on a network and lists no address gets refusals from every other machine, without knowing why.
function doorNote({ HOST, SWITCHYARD_TOKEN, SWITCHYARD_ORIGINS, SWITCHYARD_TRUSTED_PROXIES }: Env): string {
  if (SWITCHYARD_TOKEN === undefined)
    return "  No token is set, so every user of this machine has full rights. Set SWITCHYARD_TOKEN to require one.\n";
  const isUnnamed = ["0.0.0.0", "::"].includes(HOST) && SWITCHYARD_ORIGINS.length === 0;
  const names = isUnnamed
    ? `  It listens on ${HOST} but answers only to loopback names: list the addresses that others use in SWITCHYARD_ORIGINS.\n`
    : "";
  // Behind an unlisted proxy all callers have one address: ten wrong tokens of a stranger block everybody.
  const isTold = SWITCHYARD_TRUSTED_PROXIES !== 0 || !SWITCHYARD_ORIGINS.some((origin) => origin.startsWith("https:"));
  const proxies = isTold
    ? ""
    : "  Its https origin needs a proxy: set SWITCHYARD_TRUSTED_PROXIES=1 to count wrong tokens per client address.\n";
  return `  Sign in with the value of SWITCHYARD_TOKEN.\n${names}${proxies}`;
}

async function stopAll(running: Running, code: number): Promise<void> {
  running.isStopping = true;
  if (running.children.length > 0) say("Stopping");
  await Promise.all(running.children.map((child) => child.stop()));
  await running.keeper?.stop();
  if (running.database?.embedded) await stopIfLastUser(running.database.embedded);
  process.exit(code);
}

function say(line: string): void {
  console.log(`  ${line}`);
}

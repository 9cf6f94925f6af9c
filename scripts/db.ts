// `npm run db -- up|down|status|url|migrate`: the database by hand, for psql, Prisma's command line and repairs.
import { findBinaries } from "@/server/embedded/binaries";
import { clusterAt } from "@/server/embedded/cluster";
import { readPostmaster } from "@/server/embedded/postmaster";
import { resolveDatabase } from "@/server/embedded/resolve-database";
import { stopEmbedded } from "@/server/embedded/stop";
import { env } from "@/server/env";
import { maskUrls } from "@/server/log";
import { migrate } from "@/server/migrate";

const commands: Record<string, () => Promise<void>> = { up, down, status, url, migrate: migrateNow };

async function up(): Promise<void> {
  console.log(maskUrls((await resolveDatabase(console.error)).url));
}

async function down(): Promise<void> {
  refuseForeign("stopped");
  console.log((await stopEmbedded(env().SWITCHYARD_DATA_DIR)) ? "Stopped." : "It was not running.");
}

async function status(): Promise<void> {
  const given = env().DATABASE_URL;
  if (given) return console.log(`DATABASE_URL is used: ${maskUrls(given)}`);
  const { home, data } = clusterAt(env().SWITCHYARD_DATA_DIR, findBinaries().major);
  const server = readPostmaster(data);
  const isUp = server !== null && server.status !== "absent";
  console.log(isUp ? `${home}: ${server.status}, pid ${server.pid}, port ${server.port}` : `${home}: not running`);
}

/** With the password, alone on standard output: `DATABASE_URL=$(npm run -s db -- url) npx prisma studio`. */
async function url(): Promise<void> {
  console.log((await resolveDatabase(console.error)).url);
}

async function migrateNow(): Promise<void> {
  const database = await resolveDatabase(console.error);
  const applied = await migrate(database.url, { onProgress: console.log });
  if (applied.length === 0) console.log("The database is up to date.");
}

function refuseForeign(what: string): void {
  if (env().DATABASE_URL) throw new Error(`DATABASE_URL is set: a server of your own is not ${what} from here.`);
}

const command = commands[process.argv[2] ?? ""];
if (command) {
  await command().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.error(`Usage: npm run db -- ${Object.keys(commands).join("|")}`);
  process.exitCode = 2;
}

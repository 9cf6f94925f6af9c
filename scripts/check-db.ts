// `npm run check:db`: looks at all rows for what must hold between them, and prints what does not. Reads only, while work goes on; exit
// code 1 if anything was found.
import { openDb } from "@/server/db";
import { resolveDatabase } from "@/server/embedded/resolve-database";
import { checkDatabase } from "@/server/kernel/audit/check-database";

const SHOWN_MAX = 20;

const { url } = await resolveDatabase(console.error);
const db = openDb(url, { name: "switchyard-check", max: 2 });
let found = 0;
try {
  for await (const { rule, rows, findings } of checkDatabase({ db })) {
    found += findings.length;
    console.log(`${rule}: ${rows} rows, ${findings.length === 0 ? "all agree" : `${findings.length} do not agree`}`);
    for (const { project_id, row_key, what } of findings.slice(0, SHOWN_MAX))
      console.log(`  project ${project_id}, ${row_key}: ${what}`);
    if (findings.length > SHOWN_MAX) console.log(`  and ${findings.length - SHOWN_MAX} more`);
  }
} finally {
  await db.close();
}
process.exitCode = found === 0 ? 0 : 1;

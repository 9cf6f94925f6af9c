// What stands beside the data of a backup: what it is, of which version, and how to see that it is whole.
import fs from "node:fs";
import path from "node:path";
import * as z from "zod";

/** Inside its folder: a path in someone else's backup must not lead anywhere else. */
const Inside = z.string().refine((file) => !path.isAbsolute(file) && !/[\0\\]|(^|\/)\.\.(\/|$)/.test(file), {
  error: "a file of a backup lies inside of it",
});
const Migration = z.object({ name: z.string(), checksum: z.string() });
const Tables = z.object({
  format: z.literal("switchyard-tables-1"),
  made_at: z.string(),
  server_version: z.string(),
  migrations: z.array(Migration),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      file: Inside,
      rows: z.number(),
      digest: z.string(),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
});
const Files = z.object({
  format: z.literal("switchyard-files-1"),
  made_at: z.string(),
  major: z.number(),
  migrations: z.array(Migration),
  files: z.array(z.object({ file: Inside, sha256: z.string() })),
});
const Manifest = z.discriminatedUnion("format", [Tables, Files]);

export type TablesManifest = z.infer<typeof Tables>;
export type FilesManifest = z.infer<typeof Files>;

/** Folders of a server's files that are saved empty: what is in them a server makes anew, or must not find. Postgres names them. */
export const emptied = [
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
];
const nameOf = (dir: string): string => path.join(dir, "manifest.json");

export function readManifest(dir: string): TablesManifest | FilesManifest {
  if (!fs.existsSync(nameOf(dir))) throw new Error(`${dir} is not a backup: it has no manifest.json.`);
  const read = Manifest.safeParse(JSON.parse(fs.readFileSync(nameOf(dir), "utf8")));
  if (read.success) return read.data;
  throw new Error(`${nameOf(dir)} is from another version of Switchyard. Restore it with the version that created it.`);
}

/**
 * Created under another name and renamed when complete: an interrupted backup is not a backup. The manifest is written last.
 * Only the owner can read it, because it contains everything.
 */
export async function makeBackup<T extends TablesManifest | FilesManifest>(
  dir: string,
  fill: (aside: string) => Promise<T>,
): Promise<T> {
  if (fs.existsSync(dir))
    throw new Error(`${dir} already exists, and a backup never overwrites a folder. Name a new one.`);
  const aside = `${dir}.part`;
  fs.rmSync(aside, { recursive: true, force: true });
  fs.mkdirSync(aside, { recursive: true, mode: 0o700 });
  try {
    const manifest = await fill(aside);
    fs.writeFileSync(nameOf(aside), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
    fs.renameSync(aside, dir);
    return manifest;
  } catch (error) {
    fs.rmSync(aside, { recursive: true, force: true });
    throw error;
  }
}

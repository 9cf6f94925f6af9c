// Workspaces as the API shows them: where the files of context packs come from. No path of a disk is part of it.
import * as z from "zod";

export const WorkspaceName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "a workspace's name has 1 to 64 characters of a-z 0-9 _ -, and begins with a letter or digit",
  );

/** As the database counts. */
const Count = z.int().min(0).max(2_147_483_647);

export const Workspace = z.strictObject({
  name: z.string(),
  kind: z.enum(["folder", "bundle", "tar"]),
  state: z.enum(["new", "indexing", "ready", "failed"]),
  snapshot_sha256: z
    .string()
    .nullable()
    .describe("Digest of the listing that is read now. Null before the first index."),
  files: Count.describe("Files of that listing."),
  is_waiting: z
    .boolean()
    .describe("It is to be indexed, and waits until the server has finished others. Its state is indexing."),
  seen: Count.describe("Files found by the index that runs, or ran last."),
  done: Count.describe("How many of them it has read."),
  skipped: z.record(z.string(), Count).describe("What was left out of the listing, counted by reason."),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  created_at: z.string(),
  indexed_at: z.string().nullable(),
});
export type Workspace = z.infer<typeof Workspace>;

/** The folder of this name in SWITCHYARD_WORKSPACES. */
export const NewWorkspace = z.strictObject({ name: WorkspaceName });

/** The folders that the server's operator has opened. */
export type WorkspaceFolders = Readonly<Record<string, { path: string; projects?: readonly string[] | undefined }>>;

// What a run is read as, part after part, and what is known of it once all of it has been read.
import type { BundleNote, BundlePart } from "@/server/contract/bundle/manifest";

export type RunKey = { project_id: string; root_turn_id: string };

/** One line of a part, or a piece of a file. */
export type Piece = { part: BundlePart; line: Record<string, unknown> } | { file: string; bytes: Uint8Array };

/** Filled by the time the last piece has been read. */
export type RunFacts = { source: "launch" | "import" | "demo"; exported_at: string; notes: BundleNote[] };

/** What an import keeps in the run's metadata, and the next export takes out again. */
export type ImportedBundle = { source: RunFacts["source"]; notes: BundleNote[]; sha256: string };

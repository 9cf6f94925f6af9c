// Imports of a complete index, a page at a time: what a path leads to is known only when all paths are.

import type { Kernel } from "../kernel";
import { read } from "../reader";
import { withUnit } from "../unit";
import { beat, type Hold, type Progress } from "./hold";
import type { ImportRoots } from "./imports/import-roots";
import { resolveImports } from "./imports/resolve-imports";

const PAGE = `
  SELECT path, specifiers FROM resource.workspace_files
  WHERE project_id = $1 AND workspace = $2 AND generation = $3 AND path > $4 AND specifiers <> '{}' ORDER BY path LIMIT 500`;
const LINK = `
  UPDATE resource.workspace_files f SET imports = g.imports
  FROM jsonb_to_recordset($4::jsonb) AS g(path text, imports text[])
  WHERE f.project_id = $1 AND f.workspace = $2 AND f.generation = $3 AND f.path = g.path`;

type Tree = { has: (path: string) => boolean; roots: ImportRoots };

export async function linkFiles(kernel: Kernel, hold: Hold, tree: Tree, progress: Progress): Promise<void> {
  const { project_id, name } = hold;
  const generation = hold.generation + 1;
  for (let after = ""; ; ) {
    const page = await read<{ path: string; specifiers: string[] }>(kernel, "workspace_specifiers", PAGE, [
      project_id,
      name,
      generation,
      after,
    ]);
    const last = page.at(-1);
    if (!last) return;
    after = last.path;
    const linked = page
      .map(({ path, specifiers }) => ({ path, imports: resolveImports(path, specifiers, tree) }))
      .filter(({ imports }) => imports.length > 0);
    await withUnit(kernel, async (unit) => {
      await beat(unit, hold, progress);
      await unit.query("workspace_link", LINK, [project_id, name, generation, JSON.stringify(linked)]);
    });
  }
}

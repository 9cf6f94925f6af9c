// BM25 over the words of the files and of their paths. The order is the same each time: by score, then by the bytes of the path.
import { type Reader, read } from "../reader";
import type { Generation } from "./snapshot";
import { byBytes } from "./sources/names";
import { termsOf } from "./terms";

export type Hit = { path: string; score: number };

/** `times[i]` = how often the file has the word number i; null = not at all. */
const FIND = `
  SELECT f.path, f.length, (
    SELECT array_agg(f.counts[array_position(f.terms, q.term)] ORDER BY q.n) FROM unnest($4::text[]) WITH ORDINALITY AS q(term, n)
  ) AS times
  FROM resource.workspace_files f
  WHERE f.project_id = $1 AND f.workspace = $2 AND f.generation = $3 AND f.terms && $4::text[]`;
const TOTALS = `
  SELECT count(*)::int AS files, coalesce(avg(length), 0)::float8 AS average FROM resource.workspace_files
  WHERE project_id = $1 AND workspace = $2 AND generation = $3`;

const TERMS_MAX = 24;
const K1 = 1.2;
const B = 0.75;

export async function searchFiles(
  reader: Reader,
  of: Generation,
  { query, limit }: { query: string; limit: number },
): Promise<Hit[]> {
  const terms = [...new Set(termsOf(query))].slice(0, TERMS_MAX);
  if (terms.length === 0) return [];
  const values = [of.project_id, of.name, of.generation];
  const [totals] = await read<{ files: number; average: number }>(reader, "workspace_totals", TOTALS, values);
  const found = await read<{ path: string; length: number; times: (number | null)[] }>(
    reader,
    "workspace_search",
    FIND,
    [...values, terms],
  );
  const { files = 0, average = 0 } = totals ?? {};
  const rarity = terms.map((_, i) => {
    const having = found.filter(({ times }) => times[i] !== null).length;
    return Math.log(1 + (files - having + 0.5) / (having + 0.5));
  });
  return found
    .map(({ path, length, times }) => ({
      path,
      score: times.reduce<number>((sum, count, i) => {
        if (count === null) return sum;
        const norm = count + K1 * (1 - B + (B * length) / Math.max(average, 1));
        return sum + ((rarity[i] ?? 0) * count * (K1 + 1)) / norm;
      }, 0),
    }))
    .sort((a, b) => b.score - a.score || byBytes(a.path, b.path))
    .slice(0, limit);
}

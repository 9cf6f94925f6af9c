// The hits of one kind, as they are answered. Within a page the best come first: named by id, by headcode, with the words side
// by side, and then the newest.
import type { QueryGroup, QuerySearch } from "@/server/contract/query-search";
import type { QueryKind } from "@/server/contract/search-query/fields";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import { excerptOf, hitRanges } from "@/server/contract/search-words";
import { cardLine } from "../cardbox/card-line";
import type { Kernel } from "../kernel";
import { turnRef } from "../read-models/turn-ref";
import { boxSource } from "./box-source";
import { type CardHitRow, cardSource } from "./card-source";
import { readFacets } from "./read-facets";
import { type HitPage, readPage } from "./read-page";
import type { Hit, Source } from "./source";
import { type ThingRow, thingSources } from "./thing-sources";
import { type TurnHitRow, turnSource } from "./turn-source";
import { spokenText, wantedOf, wordsLikeIds } from "./words";

type Asked = QuerySearch & { project_id: string; kind: QueryKind; tree: QueryTree };

export async function readGroup(kernel: Kernel, input: Asked): Promise<QueryGroup> {
  const { kind } = input;
  if (kind === "card") {
    const { rows, ...page } = await best(kernel, cardSource, input, (row) => row.text ?? "");
    const facets = await readFacets(kernel, cardSource, input);
    return { kind, items: rows.map((row) => lineOf(row, input.tree)), ...page, ...facets };
  }
  if (kind === "turn") {
    const { rows, ...page } = await best(
      kernel,
      turnSource,
      input,
      (row) => row.title,
      (row) => row.headcode,
    );
    return { kind, items: rows.map(turnOf), ...page, ...(await readFacets(kernel, turnSource, input)) };
  }
  if (kind === "box") {
    const { rows, ...page } = await best(kernel, boxSource, input, (row) => row.owner_title ?? "");
    return { kind, items: rows.map(({ id: _id, at: _at, ...row }) => present(row)), ...page };
  }
  const { rows, ...page } = await best<ThingRow>(kernel, thingSources[kind], input, (row) => row.title);
  return { kind, items: rows.map(({ at: _at, ...row }) => present(row)), ...page };
}

/** A page, its best hits first. */
async function best<Row extends Hit>(
  kernel: Kernel,
  source: Source<Row>,
  input: Asked,
  textOf: (row: Row) => string,
  nameOf: (row: Row) => string = () => "",
): Promise<HitPage<Row>> {
  const page = await readPage(kernel, source, input);
  const names = new Set(wordsLikeIds(input.tree));
  const codes = new Set([...names].map((name) => name.toUpperCase()));
  const words = wantedOf(input.tree).map(({ text }) => text.toLowerCase());
  const rankOf = (row: Row): number => {
    if (names.has(row.id)) return 0;
    if (codes.has(nameOf(row).toUpperCase())) return 1;
    return words.length > 1 && textOf(row).toLowerCase().includes(words.join(" ")) ? 2 : 3;
  };
  const ranked = page.rows.map((row) => ({ row, rank: rankOf(row) })).sort((a, b) => a.rank - b.rank);
  return { ...page, rows: ranked.map(({ row }) => row) };
}

function lineOf(row: CardHitRow, tree: QueryTree) {
  const line = cardLine(row);
  const words = spokenText(tree);
  if (words === "" || row.text === null || hitRanges(line.title, words).length > 0) return line;
  const excerpt = excerptOf(row.text, words);
  return excerpt === null ? line : { ...line, excerpt };
}

const turnOf = (row: TurnHitRow) => {
  const { run_number, token_count, step_count, cost, error_code, batch_id, note, started_at, ended_at } = row;
  const more = { run_number, token_count, step_count, cost, error_code, batch_id, note, started_at, ended_at };
  return { ...turnRef(row), ...present(more) };
};

type Present<Row> = { [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  [K in keyof Row as null extends Row[K] ? K : never]?: Exclude<Row[K], null>;
};

/** A column without a value is an absent key. */
const present = <Row extends object>(row: Row): Present<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>;

// What a page of hits needs of one kind: how its conditions are written, and its statements.
import type { QueryKind } from "@/server/contract/search-query/fields";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import type { Reader } from "../reader";
import { type Bind, binderOf, type KindSql } from "./condition";

/** Parts of a statement. `within` says which rows are looked at, `where` which of them are hits. $1 is the project. */
export type Pieces = { within: string; where: string; window: number; limit: number };
export type Hit = { id: string; at: string };
export type Source<Row extends Hit> = {
  kind: QueryKind;
  sql: KindSql;
  /** For rows that are looked at although a term of the query has an index: it leaves too many. */
  oneByOne?: KindSql;
  id: string;
  time: string;
  rows: (reader: Reader, pieces: Pieces, values: unknown[]) => Promise<Row[]>;
  /** The last row that is looked at, and the one after it. */
  end: (reader: Reader, pieces: Pieces, values: unknown[]) => Promise<Hit[]>;
  /** A condition on what is listed without being named. */
  listed?: (tree: QueryTree, bind: Bind) => string;
};

/** Conditions are written in the order of their values. */
export function statement(project_id: string, write: (bind: Bind) => Pieces): { pieces: Pieces; values: unknown[] } {
  const values: unknown[] = [project_id];
  return { pieces: write(binderOf(values)), values };
}

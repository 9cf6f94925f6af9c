// Words of a query for the text index. The index holds whole words and where they stand; a phrase's own letters are compared
// with the content.
import type { QueryLeaf, QueryNode, QueryTree } from "@/server/contract/search-query/query-tree";
import { isSearchable } from "@/server/contract/search-query/scan";
import type { KindSql } from "./condition";

/** For to_tsquery. In its quotation marks nothing that was typed is an operator. */
export const wordTerm = (text: string, is_prefix: boolean): string =>
  `'${text.replace(/['\\]/g, "$&$&")}'${is_prefix ? ":*" : ""}`;

/** All its words, in any place: far down in a long card the index no longer knows the order. */
export const phraseTerm = (text: string): string =>
  text
    .split(/\s+/u)
    .filter(isSearchable)
    .map((word) => wordTerm(word, false))
    .join(" & ");

/** However a word is taken apart, these letters stay together. */
const longestRun = (word: string): string =>
  word.split(/[^\p{L}\p{N}]+/u).reduce((best, run) => (run.length > best.length ? run : best), "");

/**
 * Words and phrases in the names of a row, which no index has: a text that does not contain the letters is not taken apart,
 * which takes ten times longer.
 */
export const inNames = (text: string, id: string): Pick<KindSql, "word" | "phrase"> => ({
  word: (leaf, bind) => {
    const term = bind(wordTerm(leaf.text, leaf.is_prefix), "text");
    const word = bind(leaf.text, "text");
    const letters = bind(longestRun(leaf.text), "text");
    const tested = `(CASE WHEN strpos(lower(${text}), lower(${letters})) > 0
      THEN to_tsvector('simple', ${text}) @@ to_tsquery('simple', ${term}) ELSE false END)`;
    return `(${tested} OR ${id} = ${word})`;
  },
  phrase: (phrase, bind) => {
    const term = bind(phraseTerm(phrase), "text");
    const folded = bind(phrase.replace(/\s+/gu, " "), "text");
    return `(CASE WHEN strpos(lower(regexp_replace(${text}, '\\s+', ' ', 'g')), lower(${folded})) > 0
      THEN to_tsvector('simple', ${text}) @@ to_tsquery('simple', ${term}) ELSE false END)`;
  },
});

/** What a hit must have in the index, whatever else is asked; null if the query has hits without any word. */
export function neededTerms(tree: QueryTree): string | null {
  if (tree === null || tree.kind === "not") return null;
  if (tree.kind === "word") return wordTerm(tree.text, tree.is_prefix);
  if (tree.kind === "phrase") return phraseTerm(tree.text);
  if (tree.kind !== "and" && tree.kind !== "or") return null;
  const terms = tree.parts.map(neededTerms);
  if (tree.kind === "or" && terms.includes(null)) return null;
  const known = terms.filter((term) => term !== null).map((term) => `(${term})`);
  return known.length === 0 ? null : known.join(tree.kind === "and" ? " & " : " | ");
}

type Spoken = Extract<QueryLeaf, { kind: "word" | "phrase" }>;

/** Words and phrases that a hit should show: none that is excluded. */
export function wantedOf(tree: QueryTree): Spoken[] {
  if (tree === null || tree.kind === "not") return [];
  if (tree.kind === "and" || tree.kind === "or") return tree.parts.flatMap(wantedOf);
  return tree.kind === "word" || tree.kind === "phrase" ? [tree] : [];
}

/** What must hold all together. */
export const partsOf = (tree: QueryTree): QueryNode[] =>
  tree === null ? [] : tree.kind === "and" ? tree.parts : [tree];

/** Whole words that all hits have, and that an id could be. */
export const wordsLikeIds = (tree: QueryTree): string[] =>
  partsOf(tree).flatMap((part) =>
    part.kind === "word" && !part.is_prefix && /^[A-Za-z0-9_-]{1,128}$/.test(part.text) ? [part.text] : [],
  );

/** As searched and marked in a text by search-words.ts. */
export const spokenText = (tree: QueryTree): string =>
  wantedOf(tree)
    .map(({ kind, text }) => (kind === "phrase" || /[\s-]/.test(text) ? `"${text.replaceAll('"', " ")}"` : text))
    .join(" ");

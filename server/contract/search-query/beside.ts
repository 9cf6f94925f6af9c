// A query with filters beside it, as a person would write it. It reads no more than signs: the browser's first page does without the
// parser.

/** Beside a filter, OR would take it along on one side: what is joined by it is bracketed. */
export function beside(query: string, filters: string): string {
  if (query === "" || filters === "") return query + filters;
  return `${/(?:^|\s)OR(?:\s|$)/u.test(query) ? `(${query})` : query} ${filters}`;
}

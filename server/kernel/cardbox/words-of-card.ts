// The words of a card, as the search table keeps them, and how they are asked. Their places are not kept: of a card of a page they were two fifths of its
// row, which was longer than the card. So a query that needs places (a phrase, and what Postgres takes apart, such as read_file) is asked in two
// steps: which cards have the words, and which of those have them side by side.

/** Words far down in a very long card are not found: the lexemes of one card must stay under a megabyte. */
const CHARS_MAX = 100_000;

/** The text of `cards c` that is searched. */
export const SEARCH_TEXT = `left(coalesce(c.content ->> 'text', c.content::text) || coalesce(' ' || c.tool_calls::text, ''), ${CHARS_MAX})`;

/** Of `cards c`, with their places. */
const PLACED_WORDS = `to_tsvector('simple', ${SEARCH_TEXT})`;

/** Of `cards c`, as card_search.body keeps them. */
export const WORDS = `strip(${PLACED_WORDS})`;

/** To be compared with words without places: has all hits of `query`, a tsquery, and others if it needs places. As a subquery, it was unknown to the planner. */
export const wordsOf = (query: string): string => `state.words_of_query(${query})`;

/** Of `cards c` that have the words of `query`: whether they have them in its order. Only then is a text taken apart. */
export const inOrder = (query: string): string => `(NOT state.needs_places(${query}) OR ${PLACED_WORDS} @@ ${query})`;

/** Of `cards c`: whether they match `query`, a tsquery, whatever their index says. */
export const matchesText = (query: string): string => `${PLACED_WORDS} @@ ${query}`;

// Whether a query is words alone. Such a query means the same without the language, so a list may look them up in what it has. It
// reads no more than signs: the browser's first page does without the parser.

/** Signs that mean something: a field, a phrase, a bracket, a prefix; a minus before a term; words that join terms. */
const SIGNS = /[:"()*\0]|(?:^|\s)-|(?:^|\s)(?:OR|AND|NOT)(?=\s|$)/u;

/** False also for a query that cannot be read: nothing else is looked for in its place. */
export const isPlainWords = (text: string): boolean => !SIGNS.test(text);

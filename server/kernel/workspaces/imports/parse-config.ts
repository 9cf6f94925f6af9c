// A tsconfig.json is JSON with comments and commas at the end. Both are taken out outside of strings; what is no JSON even
// then has nothing to say.

/** Finding the end of a comment again and again takes the square of a length. */
const CHARS_MAX = 64 * 1024;

export function parseConfig(text: string): unknown {
  if (text.length > CHARS_MAX) return undefined;
  const parts = text.replace(/^\uFEFF/, "").match(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[^"/]+|["/]/g) ?? [];
  const plain = parts.filter((part) => !part.startsWith("//") && !part.startsWith("/*"));
  const tokens = plain.flatMap((part) => (part.startsWith('"') ? [part] : part.split(/(?=[,}\]])|(?<=,)/)));
  const kept = tokens.filter((token, index) => token !== "," || !closesNext(tokens, index));
  try {
    return JSON.parse(kept.join(""));
  } catch {
    return undefined;
  }
}

function closesNext(tokens: readonly string[], index: number): boolean {
  for (let at = index + 1; at < tokens.length; at++) {
    const word = tokens[at]?.trim();
    if (word) return /^[}\]]/.test(word);
  }
  return false;
}

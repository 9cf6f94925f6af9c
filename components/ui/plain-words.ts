// Markdown as one line of plain words, for places with room for a line: the marks were read aloud, and looked like a fault.

/** Kept out of the reach of the marks around it: code, and what was escaped. */
type Kept = string[];

const HOLD = "\u{E000}";

export function plainWords(markdown: string): string {
  const kept: Kept = [];
  const held = hold(markdown.replaceAll(HOLD, ""), kept);
  const line = held.split("\n").reduce(joinLine, "");
  const words = withoutMarks(line).replace(new RegExp(`${HOLD}(\\d+)${HOLD}`, "gu"), (_, at) => kept[Number(at)] ?? "");
  return words.replace(/\s+/gu, " ").trim();
}

/** The first words of a card: Markdown loses its marks, data keeps every sign, for there a star is a star. */
export const plainTitle = (title: string): string =>
  /^\s*(?:\{|\[\s*(?:["{[\]\d-]|true|false|null))|^[\w.-]+ \{/u.test(title) ? title : plainWords(title);

function hold(text: string, kept: Kept): string {
  const keep = (words: string) => `${HOLD}${kept.push(words) - 1}${HOLD}`;
  return text
    .replace(/^[ \t]*(?:`{3,}|~{3,})[^`\n]*$/gmu, "")
    .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gsu, (_, _ticks, code: string) => keep(code))
    .replace(/\\([!-/:-@[-`{-~])/gu, (_, sign: string) => keep(sign));
}

/** The points of a list stay apart, numbers stay: nothing else says that they are many. */
function joinLine(before: string, line: string): string {
  if (/^\s*(?:([-*_])\s*(?:\1\s*){2,}|[|:\s-]*-{2,}[|:\s-]*|=+)\s*$/u.test(line)) return before;
  const [, point] = /^\s*(?:>\s?)*\s*([-*+]\s+)/u.exec(line) ?? [];
  const words = line
    .replace(/^\s*(?:>\s?)*\s*(?:#{1,6}\s+|[-*+]\s+)?(?:\[[ xX]\]\s+)?/u, "")
    .replace(/\s#+\s*$/u, "")
    .replace(/^\|(.*)\|\s*$/u, (_, cells: string) =>
      cells
        .split("|")
        .map((cell) => cell.trim())
        .join(", "),
    );
  return words.trim() === "" ? before : `${before}${before === "" ? "" : point ? " · " : " "}${words}`;
}

function withoutMarks(line: string): string {
  let words = line
    .replace(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/gu, "$1")
    .replace(/<((?:https?|mailto):[^\s<>]+)>/gu, "$1")
    .replace(/<br\s*\/?>/giu, " ");
  // Marks stand within marks.
  for (let depth = 0; depth < 4; depth += 1) {
    const before = words;
    for (const mark of marks) words = words.replace(mark, "$1");
    if (words === before) break;
  }
  // The other half of it was cut off.
  return words.replace(/^(?:\*{1,3}|_{1,3}|`)(?=[\p{L}\p{N}])/u, "");
}

// 2**3**4 and snake_case are no emphasis: a mark stands against a blank or a sign on one side at least.
const marks = [
  /(?<![\p{L}\p{N}])\*\*(?=\S)(.+?)(?<=\S)\*\*/gu,
  /\*\*(?=\S)(.+?)(?<=\S)\*\*(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}*])\*(?![\s*])(.+?)(?<![\s*])\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])__(?=\S)(.+?)(?<=\S)__(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_])_(?![\s_])(.+?)(?<![\s_])_(?![\p{L}\p{N}_])/gu,
  /~~(?=\S)(.+?)(?<=\S)~~/gu,
];

// A tool's output is kept whole in its card, and a model is shown its beginning and end: one result of a megabyte would push
// everything else out of the window. The cut depends on the text alone, so a replay is equal byte for byte.

/** The share of the shown text that is the beginning: it says what a result is about, the end how it turned out. */
const HEAD_SHARE = 0.6;

export function cutOutput(text: string, card_id: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const from = whole(text, Math.floor(charsMax * HEAD_SHARE));
  const to = whole(text, text.length - (charsMax - from));
  const cut = `[${to - from} of ${text.length} characters are left out here, from ${from + 1} to ${to}. The whole output is card ${card_id}. If you need what is missing, call the tool again for a smaller part of it.]`;
  return `${text.slice(0, from)}\n\n${cut}\n\n${text.slice(to)}`;
}

/** Never half of a surrogate pair: no provider accepts it. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);

// What a tool put out is kept whole in its card, and a model is shown its beginning and its end: one result of a megabyte
// would push everything else out of the window. The cut follows from the text alone, so a replay is equal byte for byte.

/** Of what is shown, this much is beginning: what a result is about stands there, how it came out at the end. */
const HEAD_SHARE = 0.6;

export function cutOutput(text: string, card_id: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const from = whole(text, Math.floor(charsMax * HEAD_SHARE));
  const to = whole(text, text.length - (charsMax - from));
  const cut = `[${to - from} of ${text.length} characters are left out here, from ${from + 1} to ${to}. The whole output is card ${card_id}. If you need what is missing, call the tool again for a smaller part of it.]`;
  return `${text.slice(0, from)}\n\n${cut}\n\n${text.slice(to)}`;
}

/** No half of a surrogate pair: no provider takes it. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);

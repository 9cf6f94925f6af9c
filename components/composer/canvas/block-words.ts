// How much of a name fits on a wagon that is seen from far away. It is cut here and not by the style sheet: each clipped box is a
// part of the picture of its own, and of three hundred of them every step of a pan had to be put together again. Pure.

/** Between the paddings of a wagon; and how wide letters are there, at 34 px and narrow. */
const ROOM = 214;
const [THIN, USUAL, BROAD, SQUARE] = [9, 17, 23, 34];
const isThin = /[\s.,:;'!|ijltfrI1()[\]/-]/;
const isBroad = /[mwMWA-Z@%&]/;
/** From here on scripts have letters as wide as they are high. */
const SQUARE_FROM = 0x2e80;

export function blockWords(title: string): string {
  let [width, end] = [0, 0];
  for (const letter of title) {
    width += widthOf(letter);
    if (width > ROOM) break;
    end += letter.length;
  }
  return title.slice(0, end);
}

function widthOf(letter: string): number {
  if ((letter.codePointAt(0) ?? 0) >= SQUARE_FROM) return SQUARE;
  return isThin.test(letter) ? THIN : isBroad.test(letter) ? BROAD : USUAL;
}

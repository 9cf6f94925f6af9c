// A turn's short name: depth digit, letter of its profile, order among the run's turns of that letter.
// Pure, because launches, delegations and imports all hand codes out, and two codes of one run must never be equal.

/** Column `letters` of state.runs: who holds each letter, and how many codes it has given. */
export type HeadcodeLetters = { [letter: string]: { profile: string; count: number } };

/** Answers the next code and the letters to store with it; the given letters are not changed. */
export function nextHeadcode(
  letters: HeadcodeLetters,
  profile_name: string,
  depth: number,
): { headcode: string; letters: HeadcodeLetters } {
  const letter = heldLetter(letters, profile_name) ?? freeLetter(letters, profile_name);
  const count = (letters[letter]?.count ?? 0) + 1;
  // One digit: depths from 9 on share it. Letter and order alone make the code unique.
  const headcode = `${Math.min(depth, 9)}${letter}${String(count).padStart(2, "0")}`;
  return { headcode, letters: { ...letters, [letter]: { profile: profile_name, count } } };
}

const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

const heldLetter = (letters: HeadcodeLetters, profile: string): string | undefined =>
  Object.keys(letters).find((letter) => letters[letter]?.profile === profile);

function freeLetter(letters: HeadcodeLetters, profile: string): string {
  const from = alphabet.indexOf(initialOf(profile));
  const ring = alphabet.map((_, i) => alphabet[(from + i) % alphabet.length] ?? "X");
  // A run of more than 26 profiles goes on with pairs: the first letter stays the profile's own.
  const candidates = [...ring, ...ring.flatMap((first) => alphabet.map((second) => first + second))];
  return candidates.find((letter) => !Object.hasOwn(letters, letter)) ?? pastPairs(letters);
}

/** First letter of the last word; a name without any (all digits, another script) starts at X. */
function initialOf(profile: string): string {
  const plain = profile.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();
  const words = plain.split(/[^A-Z0-9]+/).filter((word) => /[A-Z]/.test(word));
  return /[A-Z]/.exec(words.at(-1) ?? "")?.[0] ?? "X";
}

function pastPairs(letters: HeadcodeLetters): string {
  let n = Object.keys(letters).length;
  while (Object.hasOwn(letters, `X${n}X`)) n++;
  return `X${n}X`;
}

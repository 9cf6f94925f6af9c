// Sentences that say different things, always the same ones, and the fixed rules by which the planted set says them otherwise.
const subjects = [
  "The harbour office of Marstal",
  "A retired clockmaker from Jena",
  "The second greenhouse committee",
  "Our northern relay station",
  "The museum's night watchman",
  "An unnamed survey vessel",
  "The tram drivers' cooperative",
  "A visiting botanist from Porto",
  "The archive of the old mint",
  "Every lighthouse on the eastern shore",
];
const acts = [
  "recorded eleven unexplained outages of the main pump",
  "sold its last wooden crane to a private collector",
  "measured a strange copper taste in the spring water",
  "refused to renew the contract for grey paint",
  "counted forty migrating storks above the quarry",
  "replaced the brass valves with ceramic ones",
  "lost three crates of unlabelled seed potatoes",
  "moved the weekly inspection to the small hours",
];
const reasons = [
  "because the insurance papers had been signed in the wrong ink",
  "although the river had already frozen above the second lock",
  "while the inspectors were waiting for a ferry that never came",
  "after a long quarrel about the price of winter hay",
  "since nobody could find the key of the lower storeroom",
  "before the new director had read a single page of the report",
  "so that the apprentices could sleep through the first frost",
];

const COUNT = subjects.length * acts.length * reasons.length;

/** A different one for each number up to 560; neighbours have nothing in common. */
export function sentence(n: number): string {
  const at = (n * 197) % COUNT;
  const subject = subjects[at % subjects.length];
  const act = acts[Math.floor(at / subjects.length) % acts.length];
  return `${subject} ${act} ${reasons[Math.floor(at / subjects.length / acts.length)]}.`;
}

/** One other word, another case, other punctuation, and words before and after it. */
export const retold = (text: string): string =>
  `As far as we know, ${text
    .replace(/\bthe\b/, "a certain")
    .replace(/\.$/, "")
    .toUpperCase()} - or so it seems!`;

/** Two other words and wider blanks. */
export const reworded = (text: string): string =>
  text
    .replace(/ (because|although|while|after|since|before|so that) /, ",  for  ")
    .replace(/^(The|An|A|Our|Every)\b/, "One");

/** The same words in another order. */
export const shuffled = (text: string): string => {
  const words = text.replace(".", "").split(" ");
  return `${words.map((_, i) => words[(i * 7 + 3) % words.length] ?? "").join(" ")}.`;
};

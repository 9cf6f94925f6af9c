// Ten agents that say something of their own beside cards that look like its source. Each is first said where it is quoted.
import { type Chain, chain, fork, lookUp, type Step } from "./chain";
import { sentence, shuffled } from "./sentences";

let used = 500;
const next = (): string => sentence(++used);

type Decoy = { steps?: Step[]; words: string; instruction?: string; lookup?: unknown; others?: Record<string, Step[]> };

function decoy(n: number, { steps = [], words, instruction = "Do as you like.", lookup, others }: Decoy): Chain {
  const name = `z${n}`;
  return chain(
    name,
    "decoy",
    { Solo: [...steps, { deliver: `So: ${words}` }], ...others },
    {
      ...{ instruction, lookup, quote: { role: "Solo", words }, path: [], end: "first_said" },
    },
  );
}

const [same, withheld, later, sibling, open] = [next(), next(), next(), next(), next()];

export const decoys: Chain[] = [
  // The same subject in other words.
  decoy(1, {
    ...{
      steps: [lookUp("z1")],
      lookup: "The harbour office sold a crane. Eleven pumps failed because of the ink on some papers.",
    },
    words: "Selling the wooden crane was a mistake of whoever signed for the pumps that the harbour office kept.",
  }),
  // The same words in another order.
  decoy(2, { words: shuffled(same), instruction: same }),
  // Said in a run that this agent knows nothing of: the instruction of e1, and of its neighbour.
  decoy(3, { words: sentence(1) }),
  decoy(4, { words: withheld }),
  decoy(5, { words: shuffled(withheld), instruction: `Mind this: ${withheld}` }),
  // Said by a tool, but after the words.
  chain(
    "z6",
    "decoy",
    { Boss: [fork(["z6-Solo", "Speak."]), lookUp("z6"), { deliver: "done" }], Solo: [{ deliver: `So: ${later}` }] },
    {
      ...{
        instruction: "First listen, then look it up.",
        lookup: later,
        quote: { role: "Solo", words: later },
        path: [],
        end: "first_said",
      },
    },
  ),
  // Said to a sibling only.
  chain(
    "z7",
    "decoy",
    {
      Boss: [fork(["z7-Solo", "Speak."], ["z7-Twin", `Say: ${sibling}`]), { deliver: "done" }],
      Solo: [{ deliver: `So: ${sibling}` }],
      Twin: [{ deliver: "no" }],
    },
    {
      ...{
        instruction: "Let two of them speak.",
        quote: { role: "Solo", words: sibling },
        path: [],
        end: "first_said",
      },
    },
  ),
  // A neighbour of the number, and a longer one that contains it.
  decoy(8, { steps: [lookUp("z8")], words: "4,072", lookup: { total: 4071, account: 9940720, ratio: 0.4072 } }),
  // The name of a field, and words too short to be told apart.
  decoy(9, { steps: [lookUp("z9")], words: "harbour", lookup: { harbour: "Marstal", note: "the harbour is full" } }),
  // The same opening, and then something else.
  decoy(10, {
    words: `${open.split(" ").slice(0, 5).join(" ")} will open a bakery in the old customs house and hire everybody who asks for work.`,
    instruction: open,
  }),
];

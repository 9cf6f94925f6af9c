// Chains that only words connect: as they are, in other words, of two sources, numbers written otherwise.
import { answer, type Chain, chain, fork, lookUp } from "./chain";
import { retold, reworded, sentence } from "./sentences";

let used = 0;
const next = (): string => sentence(++used);

function exact(): Chain[] {
  const [a, b, c, d] = [next(), next(), next(), next()];
  return [
    chain(
      "e1",
      "exact",
      { Solo: [{ deliver: answer(a) }] },
      {
        ...{ instruction: `Please repeat this. ${a} Thank you.`, quote: { role: "Solo", words: a } },
        ...{ path: ["task.instruction sys.human"], end: "human", says: a },
      },
    ),
    chain(
      "e2",
      "exact",
      { Solo: [lookUp("e2"), { deliver: answer(b) }] },
      {
        ...{ instruction: "Look it up.", lookup: { status: "ok", text: `Row 7: ${b}` } },
        ...{ quote: { role: "Solo", words: b }, path: ["tool.result Solo"], end: "tool", says: b },
      },
    ),
    chain(
      "e3",
      "exact",
      { Boss: [fork(["e3-Leaf", `Say: ${c}`]), { deliver: "done" }], Leaf: [{ deliver: answer(c) }] },
      {
        ...{ instruction: `Have somebody say this. ${c}`, quote: { role: "Leaf", words: c } },
        ...{ path: ["task.instruction Boss", "task.instruction sys.human"], end: "human", says: c },
      },
    ),
    chain(
      "e4",
      "exact",
      {
        Boss: [lookUp("e4"), fork(["e4-Leaf", `Check: ${d}`]), { deliver: "done" }],
        Leaf: [{ think: "I check." }, { deliver: answer(d.toUpperCase()) }],
      },
      {
        ...{ instruction: "Look it up and have it checked.", lookup: `Note.\n${d.replaceAll(" ", "\n  ")}` },
        ...{
          quote: { role: "Leaf", words: d.toUpperCase() },
          path: ["task.instruction Boss", "tool.result Boss"],
          end: "tool",
        },
      },
    ),
  ];
}

const paraphrased = (): Chain[] =>
  [retold, reworded, retold, reworded].map((rule, i): Chain => {
    const name = `p${i + 1}`;
    const source = next();
    const words = rule(source);
    const isTool = i < 2;
    return chain(
      name,
      "paraphrase",
      { Solo: [...(isTool ? [lookUp(name)] : []), { think: "I put it in my own words." }, { deliver: answer(words) }] },
      {
        ...{
          instruction: isTool ? "Look it up." : `Tell them. ${source} Be kind.`,
          lookup: { text: `${next()} ${source} ${next()}` },
        },
        ...{
          quote: { role: "Solo", words },
          path: [isTool ? "tool.result Solo" : "task.instruction sys.human"],
          end: isTool ? "tool" : "human",
          says: source.split(" ").slice(3, 7).join(" "),
        },
      },
    );
  });

const split = (): Chain[] =>
  [0, 1, 2].map((i): Chain => {
    const name = `s${i + 1}`;
    const [long, short] = [next(), "Nobody answered the phone."];
    const fromTool = i !== 1;
    const [told, found] = fromTool ? [short, long] : [long, short];
    return chain(
      name,
      "split",
      { Solo: [lookUp(name), { deliver: i === 2 ? `- ${long}\n- ${short}` : `${short} ${long}` }] },
      {
        ...{ instruction: `Mind this. ${told}`, lookup: { text: found }, beside: short },
        ...{ quote: { role: "Solo", words: i === 2 ? `- ${long}\n- ${short}` : `${short} ${long}` } },
        ...{
          path: [fromTool ? "tool.result Solo" : "task.instruction sys.human"],
          end: fromTool ? "tool" : "human",
          says: long,
        },
      },
    );
  });

const numbers = (): Chain[] =>
  (
    [
      ["1,234.50", { total: 1234.5, year: 1999 }, "tool"],
      ["98 765 432", { rows: [{ id: 12 }, { id: 98765432 }] }, "tool"],
      ["$4,071.00", "The invoice is about 4071 for the repairs.", "tool"],
      ["-20500", "Start with a debt of 1,000 and end with -20,500 after May.", "human"],
    ] as const
  ).map(([words, source, end], i): Chain => {
    const name = `n${i + 1}`;
    const isTool = end === "tool";
    return chain(
      name,
      "number",
      { Solo: [...(isTool ? [lookUp(name)] : []), { deliver: `The figure is ${words} in all.` }] },
      {
        ...{ instruction: isTool ? "Look it up." : String(source), lookup: source, quote: { role: "Solo", words } },
        ...{ path: [isTool ? "tool.result Solo" : "task.instruction sys.human"], end },
      },
    );
  });

export const worded: Chain[] = [...exact(), ...paraphrased(), ...split(), ...numbers()];

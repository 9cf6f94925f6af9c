// Chains that pass through a record: a join, a redacted copy, an expert, environment data, a person's answer.
import { answer, type Chain, chain, fork, lookUp } from "./chain";
import { retold, reworded, sentence } from "./sentences";

let used = 200;
const next = (): string => sentence(++used);

function joins(): Chain[] {
  const [a, b, c, d] = [next(), next(), next(), next()];
  const boss = (name: string, words: string) => [
    fork([`${name}-Leaf`, "Tell me."], [`${name}-Other`, "Tell me, too."]),
    { deliver: answer(words) },
  ];
  const other = [{ deliver: next() }];
  return [
    chain(
      "j1",
      "join",
      { Boss: boss("j1", a), Leaf: [{ deliver: a }], Other: other },
      {
        ...{ instruction: "Ask both.", quote: { role: "Boss", words: a } },
        ...{ path: ["tool.result Boss", "task.deliverable Leaf"], end: "first_said", says: a },
      },
    ),
    chain(
      "j2",
      "join",
      { Boss: boss("j2", b), Other: other, Leaf: [lookUp("j2"), { deliver: `I read: ${b}` }] },
      {
        ...{ instruction: "Ask both.", lookup: { text: b }, quote: { role: "Boss", words: b } },
        ...{ path: ["tool.result Boss", "task.deliverable Leaf", "tool.result Leaf"], end: "tool", says: b },
      },
    ),
    chain(
      "j3",
      "join",
      { Boss: boss("j3", retold(c)), Other: other, Leaf: [{ fields: { title: "A report", finding: c } }] },
      {
        ...{ instruction: "Ask both.", quote: { role: "Boss", words: retold(c) } },
        ...{ path: ["tool.result Boss", "task.deliverable Leaf"], end: "first_said" },
      },
    ),
    chain(
      "j4",
      "join",
      {
        Boss: boss("j4", d),
        Other: other,
        Leaf: [fork(["j4-Deep", "Find out."]), { deliver: `They say: ${d}` }],
        Deep: [{ deliver: d }],
      },
      {
        ...{ instruction: "Ask both.", quote: { role: "Boss", words: d } },
        ...{
          path: ["tool.result Boss", "task.deliverable Leaf", "tool.result Leaf", "task.deliverable Deep"],
          end: "first_said",
          says: d,
        },
      },
    ),
  ];
}

const secret = "Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789abcd";
const redactions = (): Chain[] =>
  [0, 1, 2].map((i): Chain => {
    const [source, second] = [next(), next()];
    const content =
      [`${source}\n${secret}\n${second}`, `${secret}\n${source}`, `${second} ${source} ${secret}`][i] ?? "";
    return chain(
      `r${i + 1}`,
      "redaction",
      { Solo: [{ deliver: answer(i === 2 ? retold(source) : source) }] },
      {
        ...{
          instruction: "Sum it up.",
          more: {
            recipe: "careful@1",
            box: [
              { type: "task.context", content: next() },
              { type: "task.context", content },
            ],
          },
        },
        ...{ quote: { role: "Solo", words: i === 2 ? retold(source) : source } },
        ...{ path: ["task.context ann", "task.context ann"], end: "given", says: source.slice(20, 50) },
      },
    );
  });

const experts = (): Chain[] =>
  [0, 1, 2].map((i): Chain => {
    const name = `x${i + 1}`;
    const words = next();
    const said = i === 1 ? reworded(words) : words;
    const ask = { call: "ask_expert", arguments: { expert_profile: `${name}-Expert`, question: "What happened?" } };
    return chain(
      name,
      "expert",
      {
        Boss: [{ think: "I ask." }, ask, { deliver: answer(said) }],
        Expert: [...(i === 2 ? [lookUp(name)] : []), { deliver: `In my opinion: ${words}` }],
      },
      {
        ...{ instruction: "Ask an expert.", lookup: [{ text: words }], quote: { role: "Boss", words: said } },
        ...{
          path: ["tool.result Boss", "task.deliverable Expert", ...(i === 2 ? ["tool.result Expert"] : [])],
          end: i === 2 ? "tool" : "first_said",
        },
      },
    );
  });

const environment = (): Chain[] =>
  [0, 1, 2].map((i): Chain => {
    const name = `d${i + 1}`;
    const words = next();
    const store = (value: unknown) => ({
      call: "store_env_data",
      arguments: { key: "finding", short_description: "what was found", value: value as never },
    });
    const read = { call: "get_env_data", arguments: { key: "finding" } };
    const keeper =
      i === 0
        ? [store({ text: words }), { deliver: "stored" }]
        : [lookUp(name), store(`Found: ${words}`), { deliver: "stored" }];
    const again = { call: "update_env_data", arguments: { key: "finding", short_description: "checked" } };
    const boss = [
      fork([`${name}-Keeper`, "Store it."]),
      ...(i === 2 ? [again] : []),
      fork([`${name}-Reader`, "Read it."]),
      { deliver: "done" },
    ];
    return chain(
      name,
      "environment data",
      { Boss: boss, Keeper: keeper, Reader: [read, { deliver: answer(words) }] },
      {
        ...{ instruction: "Store, then read.", lookup: { text: words }, quote: { role: "Reader", words } },
        ...{
          path: ["tool.result Reader", "tool.call Keeper", ...(i === 0 ? [] : ["tool.result Keeper"])],
          end: i === 0 ? "first_said" : "tool",
          says: words,
        },
      },
    );
  });

const people = (): Chain[] =>
  [0, 1].map((i): Chain => {
    const words = next();
    const said = i === 0 ? words : retold(words);
    return chain(
      `h${i + 1}`,
      "human answer",
      { Solo: [{ call: "ask_human", arguments: { question: `h${i + 1}` } }, { deliver: answer(said) }] },
      {
        ...{ instruction: "Ask a person.", answer: words, quote: { role: "Solo", words: said } },
        ...{ path: ["tool.result Solo"], end: "human", says: words.slice(25, 60) },
      },
    );
  });

export const recorded: Chain[] = [...joins(), ...redactions(), ...experts(), ...environment(), ...people()];

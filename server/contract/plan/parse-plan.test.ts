// A plan as written: what is left out is filled in, what refers to nothing is refused with its path.
import { expect, test } from "vitest";
import { parsePlan } from "./parse-plan";

const plan = (nodes: unknown[], more: object = {}) => parsePlan({ switchyard: "plan/1", nodes, ...more });
const wagon = (more: object = {}) => ({ target: { ref: "A" }, instruction: "Do it", ...more });

test("kinds and ids are filled in: from the title, else from the first line, and never twice", () => {
  const read = plan([
    wagon(),
    wagon({ instruction: "\n  Do it\nnow" }),
    wagon({ title: "Größe 2!" }),
    wagon({ instruction: "数" }),
    { kind: "fork", title: "Three", tasks: [wagon(), wagon()] },
  ]);
  if (!("plan" in read)) throw new Error(read.fault.message);
  expect(read.plan.nodes.map(({ id }) => id)).toEqual(["do-it", "do-it-2", "gro-e-2", "wagon", "three"]);
  expect(read.plan.nodes[0]).toMatchObject({ kind: "wagon", after: [], load: [], attempts: 1, hold: false });
  const fork = read.plan.nodes[4];
  expect(fork?.kind === "fork" && fork.tasks.map(({ id }) => id)).toEqual(["do-it", "do-it-2"]);
  expect(read.plan.limits).toEqual({ turns_max: 100 });
});

test.each<[unknown[], object, string]>([
  [[wagon({ id: "a" }), wagon({ id: "a" })], {}, "nodes.1.id: a is taken by another node; choose another id"],
  [[wagon({ id: "A" })], {}, "nodes.0.id: an id is a lower-case letter, then up to 39 of a-z, 0-9 and -"],
  [[wagon({ after: [{ node: "b" }] })], {}, expect.stringMatching(/^nodes\.0\.after\.0\.node: there is no node b;/)],
  [[wagon({ load: [{ from: "f.x" }] })], {}, expect.stringMatching(/^nodes\.0\.load\.0\.from: there is no node f\.x;/)],
  [[wagon({ target: { strategy: "reuse", ref: "@b" } })], {}, expect.stringMatching(/^nodes\.0\.target\.ref: there/)],
  [[wagon({ recipe: "a", handover: {} })], {}, "nodes.0.handover: give a recipe or a handover, not both"],
  [[wagon({ model: "x" })], {}, expect.stringMatching(/^nodes\.0\.model: unknown field\./)],
  [[], { result: "x" }, "result: there is no node x; name a node of this plan"],
  [
    [],
    {
      inputs: [
        { name: "a", kind: "text" },
        { name: "a", kind: "box" },
      ],
    },
    "inputs.1.name: a is declared twice; remove one",
  ],
  [[], { limits: { turns_max: 0 } }, "limits.turns_max: expected a number of at least 1"],
])("refused, row %#", (nodes, more, said) => {
  const read = plan(nodes, more);
  if ("plan" in read) throw new Error("it was accepted");
  expect(`${read.fault.path}: ${read.fault.message}`).toEqual(said);
});

test.each([
  null,
  5,
  [],
  { nodes: 5 },
  { switchyard: "plan/1", nodes: [5] },
  { switchyard: "plan/1", nodes: [{ kind: "fork", tasks: [5] }] },
])("hostile body %j is refused, not thrown over", (body) => expect(parsePlan(body)).toHaveProperty("fault.path"));

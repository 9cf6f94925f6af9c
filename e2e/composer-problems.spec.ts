// Each problem that a plan can have stands on its wagon, in the same words as over REST, with its remedy where there is one.
import type { Page } from "@playwright/test";
import { canvas, inspector, projectWith, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

type Shown = {
  /** The place that it stands on; null = the plan. */
  at: string | null;
  says: string | RegExp;
  /** The first remedy mends it. */
  mends?: boolean;
};
type Row = { name: string; nodes: object[]; more?: object; shows: Shown[] };

const fork = (id: string, tasks: object[], more: object = {}) => ({ id, kind: "fork", title: id, tasks, ...more });
const missing = "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5";

/** What the graph alone tells. */
const graph: Row[] = [
  {
    name: "no target, no instruction, an unknown input",
    nodes: [
      { id: "bare", title: "bare" },
      step("asks", { instruction: "About {input.topic}", load: [{ from: "bare" }] }),
    ],
    shows: [
      { at: "bare", says: "bare has no target. Choose a profile or an agent." },
      { at: "bare", says: "bare has no instruction. Write what is to be done." },
      { at: "asks", says: /asks uses input topic, which the plan does not declare/ },
    ],
  },
  {
    name: "an agent reused twice at once, and one that has not ended",
    nodes: [
      step("first"),
      fork(
        "both",
        [
          step("one", { target: { strategy: "reuse", ref: "@first" } }),
          step("two", { target: { strategy: "reuse", ref: "@first" } }),
        ],
        { after: [{ node: "first" }] },
      ),
      step("early", { target: { strategy: "reuse", ref: "@last" } }),
      step("last", { after: [{ node: "both" }] }),
    ],
    shows: [
      { at: "both.two", says: /both reuse .*, which has one turn at a time. Clone it in one of them/, mends: true },
      { at: "early", says: "early reuses the agent of last, which does not end before it." },
    ],
  },
  {
    name: "what is switched off, never starts, is loose, or read by nobody",
    nodes: [
      step("off", { disabled: true }),
      step("reads", { load: [{ from: "off" }] }),
      step("dead", { after: [{ node: "reads", on: "failed" }], load: [{ from: "reads" }] }),
      step("alone"),
      step("end", { after: [{ node: "reads" }] }),
    ],
    more: { inputs: [{ name: "spare", kind: "text", required: false }], result: "end" },
    shows: [
      { at: "reads", says: "reads loads the result of off, which is switched off. It starts without it." },
      { at: "alone", says: "alone is joined to nothing: it starts at once and nobody reads its result." },
      { at: null, says: "Input spare is used nowhere." },
    ],
  },
];

/** What is too much, or not heard. */
const more: Row[] = [
  {
    name: "an agent that may be busy, and a result that nobody reads",
    nodes: [
      step("first"),
      step("left", { target: { strategy: "reuse", ref: "@first" }, after: [{ node: "first" }] }),
      step("right", { target: { strategy: "reuse", ref: "@first" }, after: [{ node: "first" }] }),
      step("end", { load: [{ from: "right" }], after: [{ node: "left" }] }),
    ],
    more: { result: "end" },
    shows: [
      { at: "left", says: "Nobody reads left's result." },
      {
        at: "right",
        says: "left and right may run at once on the agent of first: the later one waits in its inbox.",
        mends: true,
      },
    ],
  },
  {
    name: "a text that is too long",
    nodes: [step("long", { instruction: "x".repeat(1_048_577) }), step("end", { load: [{ from: "long" }] })],
    shows: [{ at: "long", says: "long's instruction is over 1 MiB. Load the text as a card." }],
  },
];

/** What needs the project. */
const kernel: Row[] = [
  {
    name: "what the project does not have",
    nodes: [
      step("profile", { target: { ref: "Nobody" } }),
      step("agent", { target: { strategy: "reuse", ref: "agent_of_nobody" }, after: [{ node: "profile" }] }),
      step("recipe", { recipe: "no-such-recipe", after: [{ node: "agent" }] }),
      step("box", { load: [{ box: missing }], after: [{ node: "recipe" }] }),
    ],
    shows: [
      { at: "profile", says: "Profile Nobody is not registered in this project." },
      { at: "agent", says: "Agent agent_of_nobody is not in this project." },
      { at: "recipe", says: /Recipe no-such-recipe/ },
      { at: "box", says: new RegExp(`Box ${missing} is not in this project.`) },
    ],
  },
  {
    name: "what is too much, or close to it",
    nodes: [
      step("limit", { context_tokens_max: 3, instruction: "Far more than three tokens of an instruction. ".repeat(4) }),
      step("window", { target: { ref: "Small" }, instruction: "word ".repeat(900), after: [{ node: "limit" }] }),
      step("rules", {
        handover: { context_packing_config: { pack_arguments: [{ arg_key: "tone" }, { arg_key: "instruction" }] } },
        arguments: { unknown: "x" },
        after: [{ node: "window" }],
      }),
    ],
    shows: [
      { at: "limit", says: /limit is given \d+ tokens; its limit is 3\. Raise the limit, or load less\./ },
      { at: "window", says: /It would not fit: ~?\d+ tokens, at least \d+, window 400\./ },
      { at: "rules", says: /rules: arguments\.unknown: the recipe does not use this argument/ },
    ],
  },
];

/** What needs what the project has: a box with a secret, a profile that may delegate to few, a small window. */
const withThings = (box: string, secret: string): Row[] => [
  {
    name: "who may run it, and what they may hand over",
    nodes: [
      step("repeats", { target: { ref: "Bound" }, load: [{ box }] }),
      step("refused", { load: [{ from: "repeats" }] }),
    ],
    more: { run_by: { profiles: ["Bound"] } },
    shows: [
      { at: "repeats", says: /Agents that run this plan may have no right to box / },
      { at: "repeats", says: /repeats runs Bound, which may run this plan: it may start the plan again/ },
      { at: "refused", says: "Bound may not delegate to Reader: its policy allows Other." },
    ],
  },
  {
    name: "what travels, and who is there to read it",
    nodes: [
      step("leaks", { load: [{ box: secret }] }),
      step("close", { target: { ref: "Tight" }, instruction: "word ".repeat(150), after: [{ node: "leaks" }] }),
    ],
    shows: [
      { at: "leaks", says: /Card \w+ holds 1 secret and travels as it is\./ },
      { at: "close", says: /\d+ % of the window before the first step\./ },
    ],
  },
];

async function open(page: Page, url: string, project: string, { name, nodes, more }: Row): Promise<void> {
  const body = { switchyard: "plan/1", name: `Wrong: ${name}`.slice(0, 60), nodes, ...more };
  const { draft_id } = await api<{ draft_id: string }>(url, "POST", `/projects/${project}/plan-drafts`, { body });
  await page.goto(`/p/${project}/compose?draft=${draft_id}`);
  await expect(page.locator(".react-flow__node").first()).toBeVisible();
}

async function shown(page: Page, { at, says, mends }: Shown): Promise<void> {
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  if (at !== null) {
    await expect(wagon(page, at), at).toBeVisible();
    await wagon(page, at).click();
  }
  const problem = inspector(page).getByText(says).first();
  await expect(problem).toBeVisible({ timeout: 15_000 });
  if (at !== null)
    await expect(wagon(page, at).getByRole("img").first()).toHaveAttribute("aria-label", /problem|warning/);
  if (!mends) return;
  await canvas(page).focus();
  await page.keyboard.press("Control+.");
  await expect(inspector(page).getByText(says)).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(inspector(page).getByText(says).first()).toBeVisible();
}

for (const row of [...graph, ...more])
  test(`the graph: ${row.name}`, async ({ product, page }) => {
    const { project } = await projectWith(product.url, `Graph ${row.name}`.slice(0, 60));
    await open(page, product.url, project, row);
    for (const one of row.shows) await shown(page, one);
  });

for (const row of kernel)
  test(`the kernel: ${row.name}`, async ({ product, page }) => {
    const { project } = await projectWith(product.url, `Kernel ${row.name}`.slice(0, 60));
    await api(product.url, "POST", `/projects/${project}/profiles`, {
      name: "Small",
      llm_config: { model: "scripted/demo", context_window: 400 },
    });
    await open(page, product.url, project, row);
    for (const one of row.shows) await shown(page, one);
  });

for (const n of [0, 1])
  test(`the kernel: ${withThings("", "")[n]?.name}`, async ({ product, page }) => {
    const { project, box } = await projectWith(product.url, `Things ${n}`);
    const post = <T>(path: string, body: object) => api<T>(product.url, "POST", `/projects/${project}${path}`, body);
    const scripted = { provider: "script", script: [{ deliver: "done" }] };
    await post("/profiles", { name: "Other", llm_config: scripted });
    await post("/profiles", { name: "Bound", llm_config: scripted, delegation_policy: { target_profiles: ["Other"] } });
    await post("/profiles", { name: "Tight", llm_config: { model: "scripted/demo", context_window: 1_000 } });
    const { box_id: secret } = await post<{ box_id: string }>("/boxes", {
      cards: [
        { type: "context.pack", role: "user", content: { kind: "text", text: "the key is AKIAIOSFODNN7EXAMPLE" } },
      ],
    });
    const row = withThings(box, secret)[n];
    if (!row) throw new Error("there are two");
    await open(page, product.url, project, row);
    for (const one of row.shows) await shown(page, one);
  });

test("a circle and a result that comes too late are told with the way out, and the text marks their lines", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Circles");
  await open(page, product.url, project, {
    name: "circle",
    nodes: [
      step("a", { after: [{ node: "b" }] }),
      step("b", { after: [{ node: "a" }] }),
      fork("both", [step("one"), step("two", { load: [{ from: "both.one" }] })]),
    ],
    shows: [],
  });
  await expect(page.locator(".composer-bar").getByRole("button", { name: /problem/ })).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("F8");
  await expect(
    inspector(page)
      .getByText(/a and b wait for each other: .*Take one track away\./)
      .first(),
  ).toBeVisible();
  await page.keyboard.press("Control+/");
  await expect(page.locator(".composer-yaml").getByRole("list", { name: "Problems" })).toContainText(
    "wait for each other",
  );
  await expect(page.locator(".composer-yaml").getByRole("list", { name: "Problems" })).toContainText(
    "one and two are tasks of one fork and start together. Put two behind the gate.",
  );
  await page.keyboard.press("Escape");
  await expect(wagon(page, "a")).toBeVisible();
});

// A page says nothing before it knows it: while answers are on their way it shows skeletons, and nothing that it has to take
// back later. The inspector used to say "It ended before its first model call" of every turn until its steps arrived.
import { expect, test } from "./fixtures";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { holdAnswers, type Sight } from "./held-answers";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const asker = `
name: Asker
allowed_tools: [ask_human]
llm_config:
  provider: script
  script:
    - { call: ask_human, arguments: { question: "Which half first?", choices: ["The left one", "The right one"] } }
    - { deliver: "Began with: {result.1.answer}" }
`;
const breaker = `
name: Breaker
llm_config: { provider: script, script: [{ think: "Trying." }, { fail: "the scales are broken" }] }
`;

/** By the name of the scene. Each begins at a URL; the browser has cached nothing of it. */
let addresses: Record<string, string> = {};

type Turn = { agent_id: string; context_box_id: string; output_box_id: string; instruction_card_id: string };

test.beforeAll(async ({ product: { url } }) => {
  const project = await makeProject(url, "Waited for", { isBrisk: true });
  const profiled = await makeProject(url, "Waited for, no run");
  const empty = (await api<{ project_id: string }>(url, "POST", "/projects", { title: "Waited for, bare" })).project_id;
  for (const yaml of [asker, breaker]) await api(url, "POST", `/projects/${project}/profiles`, yaml, "text/yaml");
  const { root_turn_id, child } = await launchLead(url, project);
  const turns = await runEnds(url, project);
  const hand = turns.find((turn) => turn.headcode === "2H02")?.agent_turn_id;
  await api(url, "PUT", `/projects/${project}/env/${root_turn_id}/task`, {
    short_description: "What is to be weighed",
    value: { whole: true },
  });
  const launch = async (target_ref: string, status: string) => {
    const launched = await api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
      url,
      "POST",
      `/projects/${project}/pmo/delegate_async:call`,
      { args: { target_strategy: "new", target_ref, instruction: "Weigh the letters" } },
    );
    const id = launched.result.agent_turn_id;
    await expect
      .poll(async () => (await api<{ status: string }>(url, "GET", `/projects/${project}/turns/${id}`)).status)
      .toBe(status);
    return `run=${launched.root_turn_id}&turn=${id}`;
  };
  await api(url, "POST", `/projects/${project}/plans?user=ann`, {
    switchyard: "plan/1",
    name: "Look",
    description: "Weighs one thing",
    inputs: [{ name: "what", kind: "text" }],
    nodes: [{ id: "a", target: { ref: "Lead" }, instruction: "Weigh {input.what}" }],
  });
  const failed = await launch("Breaker", "failed");
  const asking = await launch("Asker", "suspended");
  const turn = await api<Turn>(url, "GET", `/projects/${project}/turns/${child}`);
  const forks = await makeForkProject(url, "Waited for, forks", { isBrisk: true });
  const { batch_id, agent_turn_id, root_turn_id: forkRun } = await fork(url, forks, five);
  await batchEnds(url, forks, batch_id, "partial");
  const at = `/p/${project}`;
  addresses = {
    yard: `${at}?run=${root_turn_id}`,
    drawing: `${at}/compose/Look`,
    "drawing with a wagon": `${at}/compose/Look?sel=a`,
    "drawing as a list": `${at}/compose/Look?view=list`,
    "drawing with a hand-over": `${at}/compose/Look?order=a`,
    "drawing of a version": `${at}/compose/Look?v=1`,
    "yard of all runs": `${at}?run=all`,
    "yard with a turn that delegated": `${at}?run=${root_turn_id}&turn=${child}`,
    "yard with a turn that was called": `${at}?run=${root_turn_id}&turn=${hand}`,
    "yard with a person": `${at}?run=${root_turn_id}&turn=${root_turn_id}`,
    "yard with a turn that failed": `${at}?${failed}`,
    "yard with a turn that asks": `${at}?${asking}`,
    "yard with a batch": `/p/${forks}?run=${forkRun}&turn=${agent_turn_id}`,
    "empty yard": `/p/${empty}`,
    "empty yard with profiles": `/p/${profiled}`,
    "empty boxes": `/p/${empty}/boxes`,
    "empty inbox": `/p/${empty}/inbox`,
    projects: "/",
    turn: `${at}/turns/${child}`,
    "turn on the wire": `${at}/turns/${child}?view=wire&step=2`,
    "turn that asks": `${at}/turns/${asking.split("turn=")[1]}`,
    runs: `${at}/runs`,
    transcript: `${at}/runs/${root_turn_id}/transcript`,
    "transcript of a turn": `${at}/runs/${root_turn_id}/transcript?turn=${child}`,
    tree: `${at}?view=tree&run=${root_turn_id}`,
    "empty runs": `/p/${empty}/runs`,
    boxes: `${at}/boxes`,
    "boxes found": `${at}/boxes?q=weigh`,
    box: `${at}/boxes/${turn.output_box_id}?card=2`,
    "box by card": `${at}/boxes/${turn.context_box_id}?card=${turn.instruction_card_id}`,
    cards: `${at}/cards`,
    "cards found": `${at}/cards?q=half`,
    card: `${at}/cards/${turn.instruction_card_id}`,
    agents: `${at}/agents`,
    agent: `${at}/agents/${turn.agent_id}`,
    profiles: `${at}/profiles`,
    profile: `${at}/profiles/Lead`,
    "environment data": `${at}/env?run=${root_turn_id}&key=task`,
    inbox: `${at}/inbox`,
    "inbox of messages": `${at}/inbox?view=agents&ended=true`,
    batches: `/p/${forks}/batches`,
    batch: `/p/${forks}/batches/${batch_id}?task=4`,
    plans: `${at}/plans`,
    plan: `${at}/plans/Look`,
    "empty plans": `/p/${empty}/plans`,
    composer: `${at}?launch=1&target=new:Lead&boxes=${turn.output_box_id}`,
    "composer of a fork": `${at}?launch=1&kind=fork&target=new:Lead&boxes=${turn.output_box_id}`,
    packing: `${at}?pack=1&for=Lead&boxes=${turn.output_box_id}`,
  };
});

const names = [
  "yard",
  "yard of all runs",
  "yard with a turn that delegated",
  "yard with a turn that was called",
  "yard with a person",
  "yard with a turn that failed",
  "yard with a turn that asks",
  "yard with a batch",
  "empty yard",
  "empty yard with profiles",
  "empty boxes",
  "empty inbox",
  "projects",
  "turn",
  "turn on the wire",
  "turn that asks",
  "runs",
  "transcript",
  "transcript of a turn",
  "tree",
  "empty runs",
  "boxes",
  "boxes found",
  "box",
  "box by card",
  "cards",
  "cards found",
  "card",
  "agents",
  "agent",
  "profiles",
  "profile",
  "environment data",
  "inbox",
  "inbox of messages",
  "batches",
  "batch",
  "plans",
  "plan",
  "empty plans",
  "drawing",
  "drawing with a wagon",
  "drawing as a list",
  "drawing with a hand-over",
  "drawing of a version",
  "composer",
  "composer of a fork",
  "packing",
];

/**
 * How far content may move when answers arrive, as browsers measure layout shift: figures that replace a skeleton move others a
 * little. The length of a question to a person is not known before it arrives.
 */
const shiftMax = 0.002;
const shiftOfQuestions = 0.02;

for (const name of names)
  test(name, async ({ page, product }) => {
    // From a page that has requested nothing that this one requests.
    const answers = await holdAnswers(page, `${product.url}${name === "projects" ? "/health" : "/"}`);
    await answers.open(addresses[name] ?? "");
    const layers: { after: string[]; sight: Sight }[] = [{ after: [], sight: await answers.look() }];
    for (let after = await answers.release(); after !== null; after = await answers.release())
      layers.push({ after, sight: await answers.look() });
    await answers.letGo();
    const last = layers.at(-1)?.sight;
    const early = layers.slice(0, -1);
    expect(early.length, "something was waited for").toBeGreaterThan(0);
    const told = early.flatMap(({ after, sight }, layer) =>
      [...takenBack(sight.texts, last?.texts ?? []), ...(layer === 0 ? sight.texts.filter(isAbsence) : [])].map(
        (text) => `after [${after.join(" ")}] it said: ${text}`,
      ),
    );
    expect(told).toEqual([]);
    const { shift = 0, moved } = last ?? {};
    const limit = name.endsWith("that asks") ? shiftOfQuestions : shiftMax;
    expect(shift, `moved: ${moved?.join(", ")}`).toBeLessThan(limit);
  });

/** What was visible and is not any more. */
function takenBack(before: readonly string[], after: readonly string[]): string[] {
  const left = [...after];
  return before.filter((text) => {
    if (isOfWaiting.test(text)) return false;
    // Text may grow: "Inbox" becomes "Inbox, 1 needs a person", "Weigh it, Lead" becomes "Weigh it, 1H01, Lead, no problems".
    const same = left.indexOf(text);
    const at = same >= 0 ? same : left.findIndex((one) => hasGrown(text, one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function hasGrown(text: string, now: string): boolean {
  if (now.startsWith(text)) return true;
  const phrases = now.split(", ");
  let from = 0;
  return text.split(", ").every((phrase) => {
    from = phrases.indexOf(phrase, from) + 1;
    return from > 0;
  });
}

/** Words that claim nothing: that something is loading, and times that change by themselves. */
const isOfWaiting =
  /^((aria-label|title): )?(Loading|The (yard|run) is loading|Connecting|Catching up|Live|Looking for|Opening|Checking|Packing|Counting|just now$|\d+ ?(s|m|min|h|d) ago$|(\d+m )?\d+(\.\d)?s\b|\d\d:\d\d:\d\d$|…$|.* waiting \d+)/;

/** Claims that there is nothing: maybe true by luck, but before the first answer the page cannot know. */
const isAbsence = (text: string): boolean =>
  /^(none|nothing|not yet|no |empty$|-$|not started|available when|waiting for a worker|.* not found)/i.test(text);

// Random trees of agents: each is a set of profiles with scripts, the first of which is launched. Nested forks down to
// depth 4, experts, detached children, slow and failing ones, and tools that answer late, twice or never.
import type { JoinPolicy } from "@/server/contract/join-policy";
import type { Random } from "./random";
import { villainProfile, villainTargets } from "./villains";

export type ChaosProfile = { name: string; script: Record<string, unknown>[]; allowed_tools: string[] } & Record<
  string,
  unknown
>;
/** `root` is the name of the profile to launch. */
export type Tree = { root: string; profiles: ChaosProfile[] };

/** What the harness does about a call of each of them; `timeout_ms` is the tool's own. */
export const tools = [
  { tool_name: "prompt", timeout_ms: 5_000 },
  { tool_name: "twice", timeout_ms: 5_000 },
  { tool_name: "slow", timeout_ms: 3_000 },
  { tool_name: "late", timeout_ms: 700 },
  { tool_name: "never", timeout_ms: 900 },
  { tool_name: "last_word", timeout_ms: 5_000, after_execution: "terminate" as const },
];

const kernelTools = ["fork_join", "ask_expert", "delegate_async", "provision_agent", "submit_result"];
const depthMax = 4;
/** Of the agents below a root. */
const villainShare = 0.15;

/** Run by hostile workers, which decide how they end. */
export const villainProfiles: ChaosProfile[] = villainTargets.map((worker_target) => ({
  name: villainProfile(worker_target),
  // By the built-in worker, while nobody serves the target yet.
  script: [{ deliver: "done by somebody else" }],
  worker_target,
  allowed_tools: [...kernelTools, ...tools.map((t) => t.tool_name)],
}));

export function growTree(random: Random, name: string): Tree {
  const profiles: ChaosProfile[] = [];
  const grow = (depth: number): string => {
    const own = `${name}_${profiles.length}`;
    // Named before its children, so that it comes first although the profile does not exist yet.
    const profile: ChaosProfile = {
      name: own,
      script: [],
      allowed_tools: [...kernelTools, ...tools.map((t) => t.tool_name)],
    };
    profiles.push(profile);
    Object.assign(profile, more(random), {
      script:
        depth >= depthMax || (depth > 1 && random.chance(0.55)) || profiles.length > 24
          ? leaf(random)
          : inner(random, () =>
              random.chance(villainShare) ? villainProfile(random.pick(villainTargets)) : grow(depth + 1),
            ),
    });
    return own;
  };
  return { root: grow(1), profiles };
}

const more = (random: Random) => (random.chance(0.1) ? { max_attempts: 1 } : {});

function leaf(random: Random): ChaosProfile["script"] {
  const call = () => ({ call: random.pick(tools).tool_name, arguments: {} });
  const end = { deliver: "{display_name} did {instruction}" };
  switch (random.whole(1, 9)) {
    case 1:
      return [{ think: "first" }, { think: "then", wait_ms: random.whole(0, 300) }, end];
    case 2:
      return [{ wait_ms: random.whole(500, 3_000) }, end];
    case 3:
      return [{ fail: "it cannot be done", wait_ms: random.whole(0, 400) }];
    case 4:
      return [call(), end];
    case 5:
      return [{ calls: [call(), { call: "think", arguments: { thought: "meanwhile" } }, call()] }, end];
    case 6:
      return [{ fields: { answer: "{instruction}", place: "{output_box_id}" } }];
    case 7:
      return [{ call: "think", arguments: { thought: "aloud" } }, call(), call(), end];
    case 8:
      return [{ wait_ms: 6_000 }, end];
    default:
      return [end];
  }
}

/** A join that does not wait for all. */
export function policyOf(random: Random, tasks: number): JoinPolicy {
  const time = {
    timeout_ms: random.whole(200, 900),
    on_timeout: random.pick(["emit_partial", "fail", "wait"] as const),
  };
  const late = random.pick(["stop", "run"] as const);
  const timed = random.chance(0.4) ? time : {};
  if (random.chance(0.2)) return { kind: "all", late, timeout_ms: time.timeout_ms, on_timeout: "emit_partial" };
  const count = random.pick(["delivered", "ended"] as const);
  if (random.chance(0.5)) return { kind: "any", count, late, ...timed };
  return { kind: "quorum", k: random.whole(1, tasks), count, late, ...timed };
}

function inner(random: Random, grow: () => string): ChaosProfile["script"] {
  const task = (target_ref = grow()) => ({ target_strategy: "new", target_ref, instruction: `part of {display_name}` });
  const tried = (target_ref: string) => ({
    ...task(target_ref),
    ...(random.chance(0.3) && { attempts: random.whole(2, 4) }),
  });
  const end = { deliver: "{display_name} is done" };
  const fork = (tasks: object[]) => ({
    call: "fork_join",
    arguments: {
      tasks,
      ...(random.chance(0.25) ? { fail_fast: true } : random.chance(0.3) && { policy: policyOf(random, tasks.length) }),
      ...(random.chance(0.35) && { max_parallel: random.whole(1, 3) }),
      ...(random.chance(0.3) && { deadline_seconds: random.whole(10, 150) / 10 }),
    },
  });
  const many = () => {
    const kinds = Array.from({ length: random.whole(1, 3) }, grow);
    return Array.from({ length: random.whole(1, 6) }, () => tried(random.pick(kinds)));
  };
  const known = { target_ref: "{result.1.agent_id}", instruction: "once more" };
  switch (random.whole(1, 8)) {
    case 1:
      return [
        {
          call: "ask_expert",
          arguments: { expert_profile: grow(), question: "why?", include_history: random.chance(0.5) },
        },
        end,
      ];
    case 2:
      return [
        { call: "delegate_async", arguments: task() },
        { call: "delegate_async", arguments: { ...known, target_strategy: "reuse" }, wait_ms: random.whole(0, 600) },
        { call: "delegate_async", arguments: { ...known, target_strategy: "clone" } },
        end,
      ];
    case 3:
      return [
        { call: "delegate_async", arguments: task() },
        fork([{ ...known, target_strategy: "reuse" }, { ...known, target_strategy: "clone" }, ...many()]),
        end,
      ];
    case 4:
      return [fork(many()), { think: "again" }, fork(many()), end];
    // Two at once: a fork, and a tool beside it.
    case 5:
      return [{ calls: [fork(many()), { call: random.pick(tools).tool_name, arguments: {} }] }, end];
    default:
      return [fork(many()), end];
  }
}

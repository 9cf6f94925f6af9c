// One planted chain: agents that say what they are told to, and where the words of one of them come from.
import type * as z from "zod";
import type { BlameEnd } from "@/server/contract/blame";
import type { ScriptStep } from "@/server/contract/script";
import { scripted } from "../turns";

export type Step = z.input<typeof ScriptStep>;
export type Chain = {
  name: string;
  kind: string;
  profiles: ReturnType<typeof scripted>[];
  instruction: string;
  /** Arguments of the launch, besides target and instruction. */
  more?: { recipe: string; box: { type: string; content: string }[] };
  /** Whose deliverable, and which words of it. */
  quote: { role: string; words: string };
  /** Of each hop: the card's type and the role of who wrote it. */
  path: string[];
  end: BlameEnd;
  /** Words of the last hop. */
  says?: string;
  /** Words of another source that the first hop names. */
  beside?: string;
  /** What the tool `lookup` answers for the chain's key. */
  lookup?: unknown;
  /** What a person answers to a question. */
  answer?: string;
};

/** `roles`: the script of each; the first is launched. */
export function chain(
  name: string,
  kind: string,
  roles: Record<string, Step[]>,
  rest: Omit<Chain, "name" | "kind" | "profiles">,
): Chain {
  const profiles = Object.entries(roles).map(([role, script]) =>
    scripted(`${name}-${role}`, script, { allowed_tools: ["lookup", "fork_join", "ask_expert", "ask_human"] }),
  );
  return { name, kind, profiles, ...rest };
}

export const lookUp = (name: string): Step => ({ call: "lookup", arguments: { key: name } });
export const fork = (...tasks: [profile: string, instruction: string][]): Step => ({
  call: "fork_join",
  arguments: {
    tasks: tasks.map(([target_ref, instruction]) => ({ target_strategy: "new", target_ref, instruction })),
  },
});

/** What is quoted stands in a longer text, as an answer quotes its sources. */
export const answer = (words: string): string => `Here is what we found. ${words} That is all for now.`;

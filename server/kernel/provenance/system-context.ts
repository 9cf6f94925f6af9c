// What every agent is told about its environment, after its own prompt: who it is, what it is called, what it can do.

import type { SystemSelf } from "../context/assemble-messages";
import { cutText } from "../context/cut-text";
import { countTokens } from "../tokens/count-tokens";
import { oneLine } from "./chain-text";

/** Above this, the lists of tools are cut to a count and a pointer. */
const TOKENS_MAX = 350;

export function systemContext(self: SystemSelf): string {
  const { universal, declared } = self;
  const counted = shortened(self, universal, 0);
  const lists: [string, string][] = [
    [universal.join(", "), declared.join(", ")],
    [counted, declared.join(", ")],
    [counted, shortened(self, declared, 8)],
  ];
  for (const [all, own] of lists) {
    const text = textOf(self, all, own);
    if (countTokens(text) <= TOKENS_MAX) return text;
  }
  return textOf(self, counted, shortened(self, declared, 0));
}

/** A name of other scripts may take two tokens a character. */
const NAME_MAX = 60;

function textOf(self: SystemSelf, universal: string, declared: string): string {
  const has = (tool: string) => self.universal.includes(tool) || self.declared.includes(tool);
  return [
    "## System Context",
    `You are an agent named "${cutText(oneLine(self.name).replaceAll('"', "'"), NAME_MAX)}" in a Switchyard project, where agents hand work to each other.`,
    "",
    "### What is a Prompt Object?",
    "Another name for an agent: it is described by a document and has an identity (its prompt), tools, and messages. You are one of them; others work beside you in the same project.",
    "",
    "### How you get called",
    `A person calls you directly, or another agent delegates a part of its work to you.${
      self.is_opted_out
        ? ""
        : " In the second case your instruction begins with a [Delegation Context] that says who called you, through whom, and what the person asked for."
    }`,
    ...(has("list_env_data")
      ? ["Agents of one run share environment data: list_env_data shows what has been stored for it."]
      : []),
    "",
    "### Your capabilities",
    `- Declared: ${declared || "(none)"}`,
    ...(universal ? [`- Universal: ${universal}`] : []),
    ...(has("list_capabilities") ? ["Call list_capabilities for what each of them does."] : []),
  ].join("\n");
}

function shortened(self: SystemSelf, tools: readonly string[], kept: number): string {
  if (tools.length <= kept) return tools.join(", ");
  const pointer = [...self.universal, ...self.declared].includes("list_capabilities")
    ? "; list_capabilities shows them"
    : "";
  const more = `${tools.length - kept} ${kept > 0 ? "more" : "tools"}${pointer}`;
  return kept > 0 ? `${tools.slice(0, kept).join(", ")} and ${more}` : more;
}

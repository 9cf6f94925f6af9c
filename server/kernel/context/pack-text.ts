// A context pack as a model reads it: sections instead of one line of JSON, with tags for models of Anthropic and headings for
// all others, as their providers advise. What a pack quotes cannot close the section that it stands in.
import type { Card } from "@/server/contract/card";
import type { OpenObject } from "@/server/contract/context-pack/forms";
import { ContextPack } from "@/server/contract/context-pack/pack";
import { isRecord } from "@/server/contract/is-record";
import { modelOf } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";

type Section = { title: string; facts?: Record<string, string | undefined>; text?: string; isQuoted?: boolean };

/** Null for every other card, and for one that only calls itself a pack: its text is sent as it is. */
export function shownPack({ type, content, metadata }: Card, llm_config: LlmConfig): string | null {
  if (type !== "context.pack" || content?.kind !== "json" || !isRecord(metadata.context_pack)) return null;
  const { success, data } = ContextPack.safeParse(content.data);
  return success ? packText(data, String(metadata.context_pack.code ?? ""), llm_config) : null;
}

/** `code` as people say it: P-31D0. */
export function packText(pack: ContextPack, code: string, llm_config: LlmConfig): string {
  const sections = sectionsOf(pack);
  return isTagged(llm_config) ? tagged(code, sections) : headed(code, sections);
}

function isTagged(config: LlmConfig): boolean {
  return /claude/i.test(config.model ?? "") || modelOf(config)?.provider === "anthropic";
}

function sectionsOf(pack: ContextPack): Section[] {
  const mode = pack.nodeMode === undefined ? pack.globalMode : `${pack.globalMode}, ${pack.nodeMode}`;
  return [
    { title: "goal", text: pack.goal },
    { title: "definition_of_done", text: listed(pack.definitionOfDone) },
    { title: "mode", text: mode },
    { title: "constraints", text: lines(pack.constraints) },
    { title: "tool_policy", text: lines(pack.toolPolicy) },
    { title: "repo_facts", text: lines(pack.repoFacts) },
    { title: "workspace", text: lines(pack.workspace) },
    { title: "docs_root", text: pack.docsRoot },
    ...pack.docRefs.map(({ path, anchors, priority, excerpt }) => ({
      title: "document",
      facts: { path, priority, anchors: anchors?.join(", ") },
      text: excerpt,
      isQuoted: true,
    })),
    ...(pack.relevantFiles ?? []).map(({ path, purpose, hash, excerpt }) => ({
      title: "file",
      facts: { path, purpose, hash },
      text: excerpt,
      isQuoted: true,
    })),
    ...(pack.decisions ?? []).map(({ id, summary, rationale, links }) => ({
      title: "decision",
      facts: { id, links: links?.join(", ") },
      text: rationale === undefined ? summary : `${summary}\n${rationale}`,
    })),
    ...(pack.artifacts ?? []).map(({ ref, type, sha256, summary }) => ({
      title: "artifact",
      facts: { ref, type, sha256 },
      text: summary,
    })),
    ...(pack.inputs ?? []).map(({ payloadId, fromNodeId, edgeId }) => ({
      title: "input",
      facts: { id: payloadId, from: fromNodeId, edge: edgeId },
    })),
    { title: "output_schema", text: pack.outputSchemaRef },
  ].filter(({ text, facts }: Section) => facts !== undefined || (text ?? "") !== "");
}

const listed = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

const lines = (given: OpenObject | undefined): string =>
  Object.entries(given ?? {})
    .map(([key, value]) => `- ${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");

const known = (facts: Section["facts"]): [string, string][] =>
  Object.entries(facts ?? {}).flatMap(([key, value]) => (value ? [[key, value.replace(/\s+/g, " ")]] : []));

function tagged(code: string, sections: Section[]): string {
  const inner = sections.map(({ title, facts, text }) => {
    const attributes = known(facts).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    const open = `${title}${attributes.join("")}`;
    return (text ?? "") === "" ? `<${open}/>` : `<${open}>\n${unclosed(text ?? "")}\n</${title}>`;
  });
  return `<context_pack code="${code}">\n${inner.join("\n")}\n</context_pack>`;
}

const escaped = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Quoted text could end its tag, and pass for the instruction of somebody else. */
const unclosed = (text: string): string => text.replace(/<\/(?=\s*[a-z_]+\s*>)/gi, "<\\/");

function headed(code: string, sections: Section[]): string {
  const inner = sections.map(({ title, facts, text, isQuoted }) => {
    const told = known(facts).map(([key, value]) => `${key}: ${value}`);
    const head = `## ${[title.replaceAll("_", " "), ...told].join(" · ")}`;
    if ((text ?? "") === "") return head;
    return `${head}\n${isQuoted ? fenced(text ?? "") : (text ?? "").replace(/^(#{1,6} )/gm, "\\$1")}`;
  });
  return `# Context pack ${code}\n\n${inner.join("\n\n")}\n\n(End of context pack ${code})`;
}

/** Longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

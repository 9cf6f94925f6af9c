// Step 7: redacts a draft, before trimming: a cut secret matches no rule. Values are redacted by the engine; a member's name is
// text too, and may be a secret itself.

import { pointerPart } from "@/server/contract/context-pack/diff-packs";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import { isRecord } from "@/server/contract/is-record";
import { assemble, type Draft, type Lists, listNames } from "./draft";
import { BuildFault, type Redactor } from "./outcome";

export function redactDraft(draft: Draft, redact: Redactor): Draft {
  const before = assemble(draft);
  const after = cleanNames(redact.value(before).value, redact) as ContextPack;
  refuseNamedSecrets(before, after);
  const { docRefs, relevantFiles = [], inputs = [], artifacts = [], decisions = [], ...frame } = after;
  const items: { [N in keyof Lists]: Lists[N][number]["item"][] } = {
    docRefs,
    relevantFiles,
    inputs,
    artifacts,
    decisions,
  };
  const lists = Object.fromEntries(
    listNames.map((name) => [name, draft.lists[name].map((entry, i) => ({ ...entry, item: items[name][i] }))]),
  ) as Lists;
  return { ...draft, frame, lists };
}

/** Where a rule still finds something, with its kind. */
export function residualSecrets(pack: ContextPack, redact: Redactor): { pointer: string; kind: string }[] {
  const found = redact.value(pack).findings.map(({ pointer, kind }) => ({ pointer, kind }));
  return [...found, ...secretNames(pack, "", redact)];
}

/** Two members may end up with one name: the second gets a number. */
function cleanNames(value: unknown, redact: Redactor): unknown {
  if (Array.isArray(value)) return value.map((item) => cleanNames(item, redact));
  if (!isRecord(value)) return value;
  const clean = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const { text } = redact.text(key);
    let name = text;
    for (let nth = 2; clean.has(name) || (name !== key && Object.hasOwn(value, name)); nth++) name = `${text} ${nth}`;
    clean.set(name, cleanNames(member, redact));
  }
  return Object.fromEntries(clean);
}

function secretNames(value: unknown, pointer: string, redact: Redactor): { pointer: string; kind: string }[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => [
    // The name is the secret, so the pointer ends at its owner.
    ...redact.text(key).kinds.map((kind) => ({ pointer, kind })),
    ...secretNames(member, `${pointer}/${pointerPart(key)}`, redact),
  ]);
}

/** A redacted id or reference leads nowhere, so the pack would be of no use. */
function refuseNamedSecrets(before: ContextPack, after: ContextPack): void {
  const ids: [string, unknown, unknown][] = [
    ...(["packId", "runId", "nodeId", "docsRoot", "outputSchemaRef"] as const).map(
      (name): [string, unknown, unknown] => [`/${name}`, before[name], after[name]],
    ),
    ...(before.inputs ?? []).flatMap((input, i) =>
      (["payloadId", "fromNodeId", "edgeId"] as const).map((name): [string, unknown, unknown] => [
        `/inputs/${i}/${name}`,
        input[name],
        after.inputs?.[i]?.[name],
      ]),
    ),
    ...(before.artifacts ?? []).map(({ ref }, i): [string, unknown, unknown] => [
      `/artifacts/${i}/ref`,
      ref,
      after.artifacts?.[i]?.ref,
    ]),
  ];
  const hit = ids.find(([, given, clean]) => given !== clean);
  if (hit)
    throw new BuildFault("redaction_failed", `${hit[0]}: contains a secret. Rename what it refers to`, {
      findings: [{ pointer: hit[0] }],
    });
}

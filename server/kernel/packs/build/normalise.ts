// Step 1: one form of the input. What is a set is sorted, so that listings in another order give the same pack; modes are lower
// case, paths relative to the repository. What is wrong is refused with its field.

import { canonicalJson } from "@/server/contract/canonical-json";
import { BUILDER_VERSION, BuildInput } from "@/server/contract/context-pack/build-input";
import { GlobalMode, NodeMode } from "@/server/contract/context-pack/pack";
import { GOAL_MAX } from "@/server/contract/context-pack/request";
import { ExpandedReason } from "@/server/contract/context-pack/sidecar";
import { shapeFault } from "@/server/contract/shape-fault";
import { byArrival, byBytes, firstOfEach } from "./order";
import { BuildFault, type Redactor } from "./outcome";
import { docsFolder, isReference, repoPath } from "./paths";
import { checkReference, checkSchemaReference } from "./references";
import { refuseOdd } from "./refuse-odd";

export type Normal = BuildInput & {
  globalMode: GlobalMode;
  node: { mode?: NodeMode };
  /** With a leading "/". */
  docsRoot: string;
};

export const invalid = (field: string, cause: string): BuildFault =>
  new BuildFault("invalid_input", `${field}: ${cause}`, { field });

export function normalise(given: unknown, redact: Redactor): Normal {
  refuseOdd(given);
  const { data: input, error } = BuildInput.safeParse(given);
  if (error) {
    const { path, message } = shapeFault(error);
    throw invalid(path, message);
  }
  refuseOtherVersions(input, redact);
  refuseGoal(input.node.objective);
  if (input.profile === "expanded" && input.reason === undefined)
    throw invalid("reason", `is missing. The profile expanded needs one of ${ExpandedReason.options.join(", ")}`);
  checkSchemaReference(input.node.outputSchemaRef, "node.outputSchemaRef");
  const { mode, ...node } = input.node;
  return {
    ...input,
    ...sortedSets(input),
    globalMode: oneOf(GlobalMode.options, input.globalMode, "globalMode"),
    node: { ...node, ...(mode !== undefined && { mode: oneOf(NodeMode.options, mode, "node.mode") }) },
    docsRoot: `/${docsFolder(input.docsRoot)}`,
  };
}

function refuseOtherVersions({ builderVersion, rulesetVersion }: BuildInput, redact: Redactor): void {
  if (builderVersion === BUILDER_VERSION && rulesetVersion === redact.ruleset) return;
  throw new BuildFault(
    "replay_incompatible",
    `builderVersion: written for builder ${builderVersion} and rules ${rulesetVersion}; this is builder ${BUILDER_VERSION} with rules ${redact.ruleset}. Build a new pack`,
    { builderVersion, rulesetVersion },
  );
}

export function refuseGoal(goal: string): void {
  const length = goal.length > GOAL_MAX ? [...goal].length : goal.length;
  if (length > GOAL_MAX)
    throw invalid(
      "goal",
      `has ${length} characters, at most ${GOAL_MAX} are allowed. Shorten it to one to three sentences`,
    );
}

function oneOf<T extends string>(options: readonly T[], given: string, field: string): T {
  const found = options.find((option) => option === given.toLowerCase());
  if (found === undefined) throw invalid(field, `expected ${options.join(" or ")}`);
  return found;
}

type Sets = Pick<
  BuildInput,
  "docs" | "previousDocs" | "hits" | "files" | "events" | "envelopes" | "decisions" | "owned"
>;

function sortedSets(input: BuildInput): Sets {
  const { docs, previousDocs, files, owned } = input;
  const documentPath = (path: string, at: string): string => {
    if (!isReference(path)) return repoPath(path, at);
    checkReference(path, at);
    return path;
  };
  return {
    docs: docs && unique(docs.map((doc, i) => ({ ...doc, path: documentPath(doc.path, `docs.${i}.path`) }))),
    previousDocs: previousDocs && unique(previousDocs),
    hits: unique(input.hits.map((hit, i) => ({ ...hit, path: repoPath(hit.path, `hits.${i}.path`) }))),
    files: files && sortedPaths(files, "files"),
    events: unique(
      input.events.map((event, i) => {
        checkReference(event.ref, `events.${i}.ref`);
        return { ...event, files: sortedPaths(event.files, `events.${i}.files`) };
      }),
    ).sort((a, b) => a.seq - b.seq),
    envelopes: unique(input.envelopes).sort(byArrival),
    decisions: unique(input.decisions).sort((a, b) => byBytes(a.id, b.id)),
    owned: owned && sortedPaths(owned, "owned"),
  };
}

/** Equal items once, in the order of their canonical JSON. */
function unique<T>(list: readonly T[]): T[] {
  const keyed = list.map((item) => ({ item, json: canonicalJson(item) }));
  return firstOfEach(keyed, ({ json }) => json)
    .sort((a, b) => byBytes(a.json, b.json))
    .map(({ item }) => item);
}

const sortedPaths = (paths: readonly string[], field: string): string[] =>
  [...new Set(paths.map((path, i) => `${repoPath(path, `${field}.${i}`)}${/[\\/]$/.test(path) ? "/" : ""}`))].sort(
    byBytes,
  );

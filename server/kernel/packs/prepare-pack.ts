// What a pack is built from: the request with its cards, decisions and workspace looked up. Building it again needs nothing but
// this and the bytes that it names.
import { canonicalJson } from "@/server/contract/canonical-json";
import { BUILDER_VERSION, type BuildInput } from "@/server/contract/context-pack/build-input";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { Reader } from "../reader";
import type { Unit } from "../unit";
import { openWorkspace, type WorkspaceView } from "../workspaces/open-workspace";
import { artifactDocs } from "./artifact-docs";
import { byBytes } from "./build/order";
import { cardDocs } from "./card-docs";
import { type Consumed, consumeEnvelopes } from "./consume-envelopes";
import { findPacks } from "./find-packs";
import { readPackBytes } from "./pack-bytes";
import { packEvents } from "./pack-events";
import type { PackInput } from "./pack-input";
import { redactor } from "./redactor";
import { type RepoFacts, repoFacts } from "./repo-facts";

export type PreparedPack = {
  input: BuildInput;
  blobs: Map<string, Uint8Array>;
  consumed: Consumed;
  workspace: WorkspaceView | null;
};

/** As many as rank-files takes. */
const HITS_MAX = 20;

/** `now` is the clock of the pack. */
export async function preparePack(
  reader: Kernel | Unit,
  now: Date,
  { project_id, request, caller }: PackInput,
): Promise<PreparedPack> {
  refuseSecretPaths(request.files ?? []);
  const workspace =
    request.workspace === undefined ? null : await openWorkspace(reader, { project_id, name: request.workspace });
  const snapshot = (await workspace?.snapshot()) ?? null;
  const hits = (await workspace?.search(request.search ?? request.goal, HITS_MAX)) ?? [];
  const events = await packEvents(reader, { project_id, request, caller }, snapshot?.files ?? []);
  const facts: RepoFacts = repoFacts(snapshot?.files ?? []);
  const { docs, texts } = await cardDocs(reader, { project_id, ...request }, redactor);
  const artifacts = await artifactDocs(reader, { project_id, refs: request.from_artifacts ?? [] }, redactor);
  const consumed = await consumeEnvelopes(reader, { project_id, envelopes: request.envelopes ?? [] }, redactor);
  const decisions = await decisionsFrom(reader, project_id, request.decisions_from ?? []);
  // It is stored, so it is redacted as the pack is.
  const { value: said } = redactor.value({
    objective: request.goal,
    definitionOfDone: request.definition_of_done ?? [],
    constraints: request.constraints,
    toolPolicy: request.tool_policy,
  });
  const input: BuildInput = {
    builderVersion: BUILDER_VERSION,
    rulesetVersion: redactor.ruleset,
    estimator: "o200k",
    ...(caller && { run: { id: caller.root_turn_id } }),
    globalMode: request.mode,
    node: {
      id: request.node_id ?? caller?.agent_turn_id ?? "pack",
      objective: said.objective,
      definitionOfDone: said.definitionOfDone,
      ...(request.output_schema_ref !== undefined && { outputSchemaRef: request.output_schema_ref }),
      ...(caller && { turn: caller.turn }),
    },
    ...(request.docs_root !== undefined && { docsRoot: request.docs_root }),
    ...(workspace && snapshot && { snapshot: { sha256: snapshot.sha256, workspace: workspace.name } }),
    docs: [...docs, ...artifacts.docs],
    hits,
    ...(request.files && { files: [...new Set(request.files)].sort(byBytes) }),
    ...events,
    envelopes: consumed.envelopes,
    decisions: decisions.toSorted((a, b) => byBytes(canonicalJson(a), canonicalJson(b))),
    ...(Object.keys(facts).length > 0 && { repoFacts: facts }),
    ...(said.constraints && { constraints: said.constraints }),
    ...(said.toolPolicy && { toolPolicy: said.toolPolicy }),
    profile: request.profile,
    ...(request.reason && { reason: request.reason }),
    now: now.toISOString(),
  };
  const blobs = new Map([...texts, ...artifacts.texts]);
  if (snapshot) blobs.set(snapshot.sha256, snapshot.bytes);
  return { input, blobs, consumed, workspace };
}

/** What is stored with a pack that read `used`. */
export const sourcesOf = ({ blobs, consumed }: PreparedPack, used: readonly string[]): Map<string, Uint8Array | null> =>
  new Map([...used.map((sha256) => [sha256, blobs.get(sha256) ?? null] as const), ...consumed.sources]);

/** The input is stored with its paths, also with those that are no file and so never reach the pack. A redacted path leads nowhere. */
function refuseSecretPaths(files: readonly string[]): void {
  const i = files.findIndex((path) => redactor.text(path).kinds.length > 0);
  if (i === -1) return;
  const path = `files.${i}`;
  throw new KernelError("redaction_failed", `${path}: contains a secret. Rename the file, or leave it out`, { path });
}

async function decisionsFrom(reader: Reader, project_id: string, ids: string[]): Promise<BuildInput["decisions"]> {
  if (ids.length === 0) return [];
  const packs = ids.map((pack_id) => ({ pack_id }));
  const records = await findPacks(reader, { project_id, packs, field: "decisions_from" });
  return (await readPackBytes(reader, { project_id, records })).flatMap(({ pack }) => pack.decisions ?? []);
}

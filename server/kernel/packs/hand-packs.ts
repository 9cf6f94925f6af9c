// The context packs that a delegation hands over: looked up, or built now, in the unit that hands them over. A refused hand-over
// leaves no pack behind, and a dry run builds the same pack and stores nothing.
import { canonicalJson } from "@/server/contract/canonical-json";
import type { ContextPackRequest, PackToBuild } from "@/server/contract/context-pack/request";
import { KernelError } from "@/server/contract/errors";
import { isRefusal, passAll } from "../attempt";
import type { HandedPack } from "../context/pack-cards";
import type { Unit } from "../unit";
import { buildIn } from "./build-in";
import { tryFindPacks } from "./find-packs";
import { readPackBytes } from "./pack-bytes";
import { type PackAuthor, refuseForeignPacks, refuseForeignSources } from "./pack-rights";

export type HandPacks = {
  project_id: string;
  by: PackAuthor;
  /** A request that was refused already stays refused. */
  requests: readonly (ContextPackRequest | KernelError | undefined)[];
  /** The field of each, for messages. */
  at: (i: number) => string;
  dry_run: boolean;
};

type Outcome = HandedPack | KernelError;

/** In input order; the first refusal is thrown. */
export const handPacks = async (unit: Unit, input: HandPacks): Promise<(HandedPack | undefined)[]> =>
  passAll(await tryPacks(unit, input));

/** Each for itself: a refusal stands where its request does. Equal requests are one pack. */
export async function tryPacks(unit: Unit, input: HandPacks): Promise<(Outcome | undefined)[]> {
  const { requests } = input;
  const keys = requests.map((one) => (one === undefined || isRefusal(one) ? null : canonicalJson(one)));
  const distinct = new Map<string, Asked>();
  for (const [i, request] of requests.entries()) {
    const key = keys[i];
    if (key && !distinct.has(key) && request && !isRefusal(request)) distinct.set(key, { request, i });
  }
  const asked = [...distinct.values()];
  const named = await lookUp(unit, input, asked);
  const byKey = new Map<string, Outcome>();
  for (const [key, one] of distinct) byKey.set(key, named.get(one.i) ?? (await buildOne(unit, input, one)));
  return requests.map((one, i) => (isRefusal(one) ? one : byKey.get(keys[i] ?? "")));
}

type Asked = { request: ContextPackRequest; i: number };

/** By the index of the request: those that exist already, in a number of statements that does not grow with them. */
async function lookUp(unit: Unit, input: HandPacks, asked: readonly Asked[]): Promise<Map<number, Outcome>> {
  const { project_id, by, at } = input;
  const named = asked.flatMap(({ request, i }) => ("goal" in request ? [] : [{ request, i }]));
  if (named.length === 0) return new Map();
  const found = await tryFindPacks(unit, {
    project_id,
    packs: named.map(({ request }) => request),
    at: (n) => at(named[n]?.i ?? 0),
  });
  const allowed = await refuseForeignPacks(unit, { project_id, by, packs: found, at: (n) => at(named[n]?.i ?? 0) });
  const records = allowed.flatMap((one) => (isRefusal(one) ? [] : one));
  const read = (await readPackBytes(unit, { project_id, records })).values();
  return new Map(
    named.map(({ i }, n): [number, Outcome] => {
      const one = allowed[n];
      if (one === undefined) throw new Error("a pack was looked up and did not come back");
      if (isRefusal(one)) return [i, one];
      const { value } = read.next();
      if (!value) throw new Error("a pack was read and did not come back");
      return [i, { pack: value.pack, sidecar: value.sidecar, sha256: one.sha256, ref: one.artifact_ref }];
    }),
  );
}

/** Its id is of the call and its place in it: two packs of one call are two packs. */
async function buildOne(unit: Unit, input: HandPacks, { request, i }: Asked): Promise<Outcome> {
  const { project_id, by, dry_run } = input;
  const { turn, tool_call_id } = by;
  try {
    if (!("goal" in request)) throw new Error("a pack was to be looked up and is built");
    const node_id = request.node_id ?? `${turn.agent_turn_id}:${tool_call_id ?? "launch"}:${i}`.slice(0, 256);
    const toBuild: PackToBuild = { ...request, node_id };
    await refuseForeignSources(unit, { project_id, by, request: toBuild });
    return await buildIn(unit, {
      project_id,
      request: toBuild,
      caller: { root_turn_id: turn.root_turn_id, agent_turn_id: turn.agent_turn_id, turn: turn.turn_epoch ?? 0 },
      created_by: turn.agent_id,
      dry_run,
    });
  } catch (error) {
    if (isRefusal(error)) return placed(error, input.at(i));
    throw error;
  }
}

/** The message names the field as the caller wrote it. */
function placed(error: KernelError, at: string): KernelError {
  const [, field] = /^([a-z_]+(?:\.\w+)*): /.exec(error.message) ?? [];
  const path = field === undefined ? at : `${at}.${field}`;
  const message = field === undefined ? `${at}: ${error.message}` : `${at}.${error.message}`;
  return new KernelError(error.code, message, { ...error.detail, path });
}

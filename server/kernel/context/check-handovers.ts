// All checks that can refuse a hand-over, before anything is written (K10): shape, profile, authorisation, existence,
// arguments. One statement for any number of hand-overs; if several are refused, the first one's refusal is reported.

import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Handover } from "@/server/contract/pack";
import type { Profile } from "@/server/contract/profile";
import { refuseBadText } from "@/server/contract/text";
import { attempt, isRefusal, pass } from "../attempt";
import { refuseDeep } from "../cardbox/canonical-json";
import { getCards } from "../cardbox/get-cards";
import type { Unit } from "../unit";
import { refuseUngranted } from "./authorise-boxes";
import { editCards } from "./edit-cards";
import { draftOwnCards } from "./own-cards";
import type { CheckedHandover, OwnCards, PackCommon, PackContextsInput, PackItem } from "./pack-item";
import { parseHandover, profileNameOf } from "./parse-handover";
import {
  boxesOf,
  cardsToLookAt,
  type Inheritance,
  looksAtAll,
  outlineInheritance,
  singlesOf,
} from "./plan-inheritance";
import { type HandoverAnswers, READS, readHandovers } from "./read-handovers";
import { sourcesFromArgs } from "./sources-from-args";

export type CheckedHandovers = { checked: CheckedHandover[]; read: HandoverAnswers };

export async function checkHandovers(unit: Unit, input: PackContextsInput): Promise<CheckedHandovers> {
  const { tried, read } = await tryHandovers(unit, input);
  return {
    read,
    checked: tried.map((c, i) => {
      if (!isRefusal(c)) return c;
      throw input.items.length === 1 ? c : new KernelError(c.code, c.message, { ...c.detail, item: i });
    }),
  };
}

/** Each for itself: a refusal stands where its hand-over does. */
export async function tryHandovers(
  unit: Unit,
  input: PackContextsInput,
): Promise<{ tried: (CheckedHandover | KernelError)[]; read: HandoverAnswers }> {
  const parse = onceEach(parseHandover);
  const drafts = input.items.map((item) => draft(item, parse));
  // Drafting the cards is most of the work here, so it happens while the database answers.
  const asked = ask(unit, input, drafts);
  const [read, cards] = await Promise.all([asked, drawUp(unit, input, drafts)]);
  const candidates = await readCandidates(unit, input, drafts, read);
  const tried = drafts.map((d, i) =>
    attempt((): CheckedHandover => {
      const shape = pass(d.shape);
      const profile = profileOf(input, shape, read.profiles.get(i));
      const inheritance = pass(d.inheritance);
      refuseUngranted(read.grants, {
        source_agent_id: input.source_agent_id,
        box_ids: boxesOf(inheritance.sources),
        card_ids: singlesOf(inheritance.sources),
        kernel_box_ids: shape.item.kernel_box_ids,
      });
      const { edits = [] } = shape.item;
      const { project_id, source_agent_id: author_id } = input;
      const given = { project_id, author_id, edits, cards: candidates.get(i) ?? [] };
      const inherited = edits.length === 0 ? inheritance : { ...inheritance, edited: editCards(unit.kernel, given) };
      const { packed, pointer } = pass(cards[i] ?? NO_CARDS);
      return {
        item: shape.item,
        handover: shape.handover,
        profile,
        inheritance: inherited,
        packed,
        pointer,
      };
    }),
  );
  return { read, tried };
}

/** Of each hand-over with edits, every card that it may pass on: halves of calls are found in what they say. */
async function readCandidates(
  unit: Unit,
  { project_id }: PackCommon,
  drafts: Draft[],
  read: HandoverAnswers,
): Promise<ReadonlyMap<number, Card[]>> {
  const wanted = drafts.flatMap(({ inheritance }, i): [number, string[]][] => {
    if (isRefusal(inheritance) || (inheritance.edits?.length ?? 0) === 0) return [];
    return [[i, cardsToLookAt(inheritance, outlineInheritance(inheritance, read.boxes))]];
  });
  if (wanted.length === 0) return new Map();
  const found = await getCards(unit, { project_id, card_ids: [...new Set(wanted.flatMap(([, ids]) => ids))] });
  const byId = new Map(found.map((card) => [card.card_id, card]));
  return new Map(wanted.map(([i, ids]) => [i, [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])]));
}

const NO_CARDS: OwnCards = { packed: [], pointer: null };

/** The checks of one hand-over that need no database. */
type Draft = { shape: Shaped | KernelError; inheritance: Inheritance | KernelError };

function draft(item: PackItem, parse: (handover: unknown) => Handover): Draft {
  const shape = attempt(() => shapeOf(item, parse));
  // A missing profile is reported before an unknown id.
  return { shape, inheritance: attempt(() => inheritanceOf(pass(shape))) };
}

async function drawUp(unit: Unit, input: PackContextsInput, drafts: Draft[]): Promise<(OwnCards | KernelError)[]> {
  // What was asked is sent at the end of this turn of the loop (server/address.ts).
  await new Promise<void>((done) => process.nextTick(done));
  const shapes = drafts.map(({ shape }) => shape);
  return draftOwnCards(unit.kernel, input, shapes);
}

type Shaped = { item: PackItem; handover: Handover; profile_name: string };
function shapeOf(item: PackItem, parse: (handover: unknown) => Handover): Shaped {
  const handover = parse(item.handover);
  refuseDeep(item.arguments, "arguments");
  refuseBadText(item.arguments, "arguments");
  return { item, handover, profile_name: profileNameOf(item.arguments, handover) };
}

/** Siblings are packed by the same recipe, which is read once. */
function onceEach<T>(work: (given: unknown) => T): (given: unknown) => T {
  const done = new Map<unknown, T>();
  return (given) => {
    const known = done.get(given);
    if (known !== undefined) return known;
    const made = work(given);
    done.set(given, made);
    return made;
  };
}

function inheritanceOf({ item, handover }: Shaped): Inheritance {
  const { include_types, exclude_types, redact, ...named } = handover.context_packing_config.inherit_context;
  const left = (item.left_out ?? []).map(({ card_id, reason }) => ({ card_id, withheld: reason }));
  const { edits } = item;
  const sources = [...sourcesFromArgs(item.arguments, named), ...left];
  const is_first = handover.context_packing_config.order === "inherited_first";
  return { sources, include_types, exclude_types, redact, is_first, ...(edits && edits.length > 0 && { edits }) };
}

function profileOf({ project_id }: PackCommon, shape: Shaped, found: Profile | undefined): Profile {
  const profile = shape.item.profile ?? found;
  if (profile) return profile;
  throw new KernelError(
    "not_found",
    `profile ${shape.profile_name} not found in project ${project_id}; register it or name another one`,
    { path: "profile_name" },
  );
}

const nothingAsked = (): HandoverAnswers => ({
  profiles: new Map(),
  grants: { boxes: new Map(), cards: new Map(), source_is_there: true },
  boxes: new Map(),
  facts: new Map(),
});

async function ask(unit: Unit, input: PackContextsInput, drafts: Draft[]): Promise<HandoverAnswers> {
  const given = drafts.flatMap((d) => (isRefusal(d.inheritance) ? [] : d.inheritance));
  const profile_names = drafts.map(({ shape: s }) => (isRefusal(s) || s.item.profile ? "" : s.profile_name));
  if (input.is_caller && profile_names.every((name) => name === "") && given.every((i) => i.sources.length === 0))
    return nothingAsked();
  const areIdsUnread = !input.dry_run && !input.with_card_ids;
  const areAlone =
    areIdsUnread && given.every((i) => i.sources.length <= 1 && !looksAtAll(i) && !singlesOf(i.sources).length);
  return readHandovers(unit, {
    project_id: input.project_id,
    source_agent_id: input.source_agent_id,
    profile_names,
    box_ids: [...new Set(given.flatMap((i) => boxesOf(i.sources)))],
    card_ids: [...new Set(given.flatMap((i) => singlesOf(i.sources)))],
    reads: areAlone ? (given.every((i) => i.is_first) ? READS.none : READS.last) : READS.all,
  });
}

// Everything that can refuse a hand-over, before anything is written (K10): shape, profile, authorisation, existence,
// arguments. One statement for any number of hand-overs; of several refusals the first hand-over's is the one told.
import { KernelError } from "@/server/contract/errors";
import type { Handover } from "@/server/contract/pack";
import type { Profile } from "@/server/contract/profile";
import { refuseBadText } from "@/server/contract/text";
import { refuseDeep } from "../cardbox/canonical-json";
import type { Unit } from "../unit";
import { type Grants, refuseUngranted } from "./authorise-boxes";
import { packArguments } from "./pack-arguments";
import type { CheckedHandover, PackContextsInput, PackItem } from "./pack-item";
import { idsFromArgs, parseHandover, profileNameOf } from "./parse-handover";
import { type Inheritance, looksAtAll } from "./plan-inheritance";
import { type HandoverAnswers, readHandovers } from "./read-handovers";

export type CheckedHandovers = { checked: CheckedHandover[]; read: HandoverAnswers };

export async function checkHandovers(unit: Unit, input: PackContextsInput): Promise<CheckedHandovers> {
  const shaped = input.items.map((item) => attempt(() => shapeOf(item)));
  // A profile that is not there is told before an id that is none.
  const inherited = shaped.map((s) => attempt(() => inheritanceOf(pass(s))));
  const read = await ask(unit, input, shaped, inherited);
  const checked = shaped.map((s, i) =>
    attempt(() => {
      const named = withProfile(input, pass(s), read.profiles.get(i));
      return granted(
        unit,
        input,
        { ...named, inheritance: pass(inherited[i] as Inheritance | KernelError) },
        read.grants,
      );
    }),
  );
  return {
    read,
    checked: checked.map((c, i) => {
      if (!isRefused(c)) return c;
      throw input.items.length === 1 ? c : new KernelError(c.code, c.message, { ...c.detail, item: i });
    }),
  };
}

type Shaped = { item: PackItem; handover: Handover; profile_name: string };
type Named = Shaped & { profile: Profile };

function shapeOf(item: PackItem): Shaped {
  const handover = parseHandover(item.handover);
  refuseDeep(item.arguments, "arguments");
  refuseBadText(item.arguments, "arguments");
  return { item, handover, profile_name: profileNameOf(item.arguments, handover) };
}

function inheritanceOf({ item, handover }: Shaped): Inheritance {
  const { include_boxes_from_args, include_cards_from_args, include_types, exclude_types, redact } =
    handover.context_packing_config.inherit_context;
  return {
    box_ids: idsFromArgs(item.arguments, include_boxes_from_args),
    card_ids: idsFromArgs(item.arguments, include_cards_from_args),
    include_types,
    exclude_types,
    redact,
  };
}

function withProfile({ project_id }: PackContextsInput, shaped: Shaped, found: Profile | undefined): Named {
  const profile = shaped.item.profile ?? found;
  if (profile) return { ...shaped, profile };
  throw new KernelError(
    "not_found",
    `profile ${shaped.profile_name} is not registered in project ${project_id}; register it or name another one`,
    { path: "profile_name" },
  );
}

async function ask(
  unit: Unit,
  input: PackContextsInput,
  shaped: (Shaped | KernelError)[],
  inherited: (Inheritance | KernelError)[],
): Promise<HandoverAnswers> {
  const given = inherited.filter((i): i is Inheritance => !isRefused(i));
  const areIdsUnread = !input.dry_run && !input.with_card_ids;
  return readHandovers(unit, {
    project_id: input.project_id,
    source_agent_id: input.source_agent_id,
    profile_names: shaped.map((s) => (isRefused(s) || s.item.profile ? "" : s.profile_name)),
    box_ids: [...new Set(given.flatMap((i) => i.box_ids))],
    card_ids: [...new Set(given.flatMap((i) => i.card_ids))],
    is_alone: areIdsUnread && given.every((i) => i.box_ids.length <= 1 && i.card_ids.length === 0 && !looksAtAll(i)),
  });
}

function granted(
  unit: Unit,
  input: PackContextsInput,
  named: Named & { inheritance: Inheritance },
  grants: Grants,
): CheckedHandover {
  const { item, profile, handover, inheritance } = named;
  const { source_agent_id, project_id, tool_suffix, metadata } = input;
  const { box_ids, card_ids } = inheritance;
  refuseUngranted(grants, { source_agent_id, box_ids, card_ids, kernel_box_ids: item.kernel_box_ids });
  const packed = packArguments(unit.kernel, {
    project_id,
    tool_suffix,
    metadata,
    rules: handover.context_packing_config.pack_arguments,
    arguments: item.arguments,
  });
  return { item, profile, handover, inheritance, packed };
}

// --- a refusal is kept until the refusals of earlier items are known

function attempt<T>(work: () => T): T | KernelError {
  try {
    return work();
  } catch (error) {
    if (isRefused(error)) return error;
    throw error;
  }
}

const isRefused = (value: unknown): value is KernelError => value instanceof KernelError;

function pass<T>(value: T | KernelError): T {
  if (isRefused(value)) throw value;
  return value;
}

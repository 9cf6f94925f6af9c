// Everything that can refuse a hand-over, before anything is written (K10): shape, profile, authorisation, existence,
// arguments. Two statements for any number of hand-overs; of several refusals the first hand-over's is the one told.
import { KernelError } from "@/server/contract/errors";
import type { Handover } from "@/server/contract/pack";
import type { Profile } from "@/server/contract/profile";
import { refuseBadText } from "@/server/contract/text";
import { refuseDeep } from "../cardbox/canonical-json";
import { findProfiles } from "../roster/find-profile";
import type { Unit } from "../unit";
import { type Grants, readGrants, refuseUngranted } from "./authorise-boxes";
import { packArguments } from "./pack-arguments";
import type { CheckedHandover, PackContextsInput, PackItem } from "./pack-item";
import { idsFromArgs, parseHandover, profileNameOf } from "./parse-handover";

export async function checkHandovers(unit: Unit, input: PackContextsInput): Promise<CheckedHandover[]> {
  const shaped = input.items.map((item) => attempt(() => shapeOf(item)));
  const found = await findProfiles(unit, {
    project_id: input.project_id,
    names: shaped.map((s) => (isRefused(s) ? "" : s.profile_name)),
  });
  const named = shaped.map((s, i) => attempt(() => withIds(input, pass(s), found[i] ?? null)));
  const grants = await grantsOf(unit, input, named);
  const checked = named.map((n) => attempt(() => granted(unit, input, pass(n), grants)));
  return checked.map((c, i) => {
    if (!isRefused(c)) return c;
    throw input.items.length === 1 ? c : new KernelError(c.code, c.message, { ...c.detail, item: i });
  });
}

type Shaped = { item: PackItem; handover: Handover; profile_name: string };
type Named = Shaped & { profile: Profile; box_ids: string[]; card_ids: string[] };

function shapeOf(item: PackItem): Shaped {
  const handover = parseHandover(item.handover);
  refuseDeep(item.arguments, "arguments");
  refuseBadText(item.arguments, "arguments");
  return { item, handover, profile_name: profileNameOf(item.arguments, handover) };
}

function withIds({ project_id }: PackContextsInput, shaped: Shaped, profile: Profile | null): Named {
  if (!profile)
    throw new KernelError(
      "not_found",
      `profile ${shaped.profile_name} is not registered in project ${project_id}; register it or name another one`,
      { path: "profile_name" },
    );
  const { include_boxes_from_args, include_cards_from_args } = shaped.handover.context_packing_config.inherit_context;
  const args = shaped.item.arguments;
  const box_ids = idsFromArgs(args, include_boxes_from_args);
  return { ...shaped, profile, box_ids, card_ids: idsFromArgs(args, include_cards_from_args) };
}

async function grantsOf(unit: Unit, input: PackContextsInput, named: (Named | KernelError)[]): Promise<Grants> {
  const asked = named.filter((n): n is Named => !isRefused(n));
  return readGrants(unit, {
    project_id: input.project_id,
    source_agent_id: input.source_agent_id,
    box_ids: asked.flatMap((n) => n.box_ids),
    card_ids: asked.flatMap((n) => n.card_ids),
  });
}

function granted(unit: Unit, input: PackContextsInput, named: Named, grants: Grants): CheckedHandover {
  const { item, profile, handover, box_ids, card_ids } = named;
  const { source_agent_id, project_id, tool_suffix, metadata } = input;
  refuseUngranted(grants, { source_agent_id, box_ids, card_ids, kernel_box_ids: item.kernel_box_ids });
  const { pack_arguments, inherit_context } = handover.context_packing_config;
  const { include_types, exclude_types, redact } = inherit_context;
  return {
    item,
    profile,
    handover,
    inheritance: { box_ids, card_ids, include_types, exclude_types, redact },
    packed: packArguments(unit.kernel, {
      project_id,
      tool_suffix,
      metadata,
      rules: pack_arguments,
      arguments: item.arguments,
    }),
  };
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

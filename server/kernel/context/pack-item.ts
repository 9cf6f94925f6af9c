// The shapes of a hand-over on its way through the checks, the plan and the write.
import type { Card } from "@/server/contract/card";
import type { Handover, PackResult, Receipt, Weighed } from "@/server/contract/pack";
import type { Profile, ProfileBody } from "@/server/contract/profile";
import type { Layout } from "../cardbox/lay-box";
import type { Unit } from "../unit";
import type { Renderer } from "./assemble-messages";
import type { CardEdit } from "./edit-cards";
import type { Told } from "./kernel-cards";
import type { PackedCard } from "./pack-arguments";
import type { HandedPack } from "./pack-cards";
import type { Inheritance, Planned } from "./plan-inheritance";
import type { Tools } from "./render-request";

export type PackItem = {
  arguments: Record<string, unknown>;
  handover: unknown;
  /** The saved recipe that `handover` is of, for the receipt. */
  recipe?: Receipt["recipe"];
  /** Boxes named in the arguments that the kernel itself adds, such as a clone's source: not asked for authorisation. */
  kernel_box_ids?: string[];
  /** Cards that were expected and are not handed over, for the receipt. */
  left_out?: readonly LeftOutCard[];
  /** Cards that are swapped or dropped at this hand-over. */
  edits?: readonly CardEdit[];
  /** A context pack that the receiver reads before its task. */
  context_pack?: HandedPack;
  /** What the receiver is told of its delegation: a card directly before the instruction. */
  delegation_context?: Told;
  /** The profile that the arguments name, if the caller has it already: it is not read again. */
  profile?: Profile;
  owner_agent_id?: string;
  owner_turn_id?: string;
  /** The agent for which a dry run renders the prompt; without it, a fresh agent of the profile. */
  target?: PackTarget;
};

export type LeftOutCard = { card_id: string; reason: string };

export type PackTarget = {
  agent_id?: string;
  display_name?: string | null;
  /** The profile box that the agent was created from, which a newer version of the profile does not replace. */
  profile_box_id?: string;
  body?: ProfileBody;
  /** A reused agent remembers its output box. */
  memory_box_id?: string | null;
};

/** What each profile may call, and the MCP servers it names whose tools are not known yet. */
export type Offer = (
  unit: Unit,
  input: { project_id: string; bodies: ProfileBody[] },
) => Promise<{ tools: Tools; unasked_servers: string[] }[]>;

export type PackCommon = {
  project_id: string;
  source_agent_id: string;
  /** The source is the caller of this delegation: it exists, and is not looked up. */
  is_caller?: boolean;
  /** Author of the packed cards. */
  tool_suffix: string;
  /** Put into every new card: trace_id, step_id ... */
  metadata?: Record<string, unknown>;
  /** Same checks, same receipt, nothing written. */
  dry_run?: boolean;
  /** Return the ids of all cards; a dry run always returns them. */
  with_card_ids?: boolean;
  /** With both a dry run also renders the first request (provenance/renderer.ts, tools/read-offers.ts). */
  renderer?: Renderer;
  offer?: Offer;
  /** A dry run answers only what the first request weighs: no texts. */
  is_brief?: boolean;
  /** A dry run counts secrets, in what travels as it is and in what is redacted. */
  finds_secrets?: boolean;
  /** Called with what every hand-over weighs, before anything is written: it may refuse. */
  check?: (sizes: PackSize[]) => void;
  /** Called after all checks, before the boxes are written: statements that it sends are answered meanwhile. */
  beforeBoxes?: () => void;
};

export type PackSize = Pick<Layout, "length" | "token_sum">;

export type PackContextInput = PackCommon & PackItem;
export type PackContextsInput = PackCommon & { items: PackItem[] };

/** The values of the context that a turn's row repeats are returned with the answer. */
export type Packed = Omit<PackResult, "card_ids"> & {
  card_ids?: string[];
  profile: Profile;
  length: number;
  token_sum: number;
  consist: string;
  instruction_card_id?: string;
  /** Of a brief dry run with a renderer. */
  request?: Weighed;
  /** Of a dry run that looks for them: cards with secrets. */
  secrets?: CardSecrets[];
};

/** `is_redacted`: a copy without them travels in the card's place. */
export type CardSecrets = { card_id: string; count: number; is_redacted: boolean };

/** The new cards of a hand-over, in order, except for the pointer, which comes last. */
export type OwnCards = { packed: PackedCard[]; pointer: Card | null };

/** All checks passed. */
export type CheckedHandover = OwnCards & {
  item: PackItem;
  profile: Profile;
  handover: Handover;
  inheritance: Inheritance;
};

/** Decided, but not written. */
export type Plan = OwnCards & {
  item: PackItem;
  profile: Profile;
  inherited: Planned;
  layout: Layout;
  /** null where they were not read. */
  card_ids: string[] | null;
  receipt: PackResult["receipt"];
};

/** Cards with new ids, which cannot exist yet. */
export const ownCardsOf = ({ packed, pointer }: Plan): Card[] => [
  ...packed.map((p) => p.card),
  ...(pointer ? [pointer] : []),
];

export const newCardsOf = (plan: Plan): Card[] => [...plan.inherited.copies, ...ownCardsOf(plan)];

/** Each once: siblings share some. */
export const distinctCards = (cards: readonly Card[]): Card[] => [
  ...new Map(cards.map((card) => [card.card_id, card])).values(),
];

// A checked bundle on its way into a project: what its parts are written from, and how what is there already is refused.
import type { TurnLine } from "@/server/contract/bundle/lines";
import type { BundleNote, BundlePart } from "@/server/contract/bundle/manifest";
import type { BoxLine, CardLine } from "@/server/contract/bundle/store-lines";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";

/** What a box must know of a card. */
export type HeldCard = Pick<CardLine["metadata"], "role" | "type"> & { token_count: number };

/** A checked bundle: every line has its shape, and every reference leads to a line. Lines can be read again and again. */
export type BundleSource = {
  version: 1 | 2;
  root_turn_id: string;
  exported_at: string;
  source: "launch" | "import" | "demo";
  sha256: string;
  notes: BundleNote[];
  cards: ReadonlyMap<string, HeldCard>;
  lines: (part: BundlePart) => AsyncIterable<unknown>;
  file: (sha256: string) => AsyncIterable<Uint8Array>;
};

export type WriteInput = { project_id: string; source: BundleSource };
export type Writing = WriteInput & { unit: Unit; ended: Ended; cards: Map<string, HeldCard> };

/** What was still going on, and how it has ended in the copy. */
export type Ended = {
  /** How each turn that was live has ended, by its id. */
  turns: Map<
    string,
    Pick<TurnLine, "status" | "output_box_id" | "output_start" | "deliverable_card_id" | "error" | "ended_at">
  >;
  cards: CardLine[];
  heldCards: Map<string, HeldCard>;
  /** Boxes of turns that had none yet. */
  boxes: BoxLine[];
  /** Cards at the end of boxes that are in the bundle. */
  appended: Map<string, string[]>;
};

/** What of an id is in the project already. */
export const taken = (what: string, id: string): KernelError =>
  new KernelError(
    "conflict",
    `${what} ${id.slice(0, 128)} is in the project with other content; import into another project`,
    {
      [`${what}_id`]: id,
    },
  );

/** What of an id is in the project, and goes with another run or a person's cards. */
export const beingDeleted = (what: string, id: string, deletion_id?: string): KernelError =>
  new KernelError(
    "conflict",
    `${what} ${id.slice(0, 128)} is in the project and is being deleted; import again when ${deletion_id === undefined ? "that has" : `deletion ${deletion_id} has`} ended`,
    { [`${what}_id`]: id, ...(deletion_id !== undefined && { deletion_id }) },
  );

export function refuseTaken(what: string, given: string[], made: string[]): void {
  const fresh = new Set(made);
  const other = given.find((id) => !fresh.has(id));
  if (other !== undefined) throw taken(what, other);
}

/** A null of JSON is no null of SQL in a jsonb column. */
export const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

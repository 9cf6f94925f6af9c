// What is worth comparing with a box: the boxes that stand where it stands, in another turn or step.
import type { DiffBox } from "./box-diff/box-diff";

/**
 * `caller`: what the caller had at the call. `previous_step`: the request before it in its turn. `previous_turn`: of the same
 * agent. `sibling`: of the same fork. `forked_from` and `rerun_of`: what its turn was started again from; `fork` and `rerun`: what
 * was started again from it. `same_step`: of the same step of the plan, in another run of it.
 */
export const partnerWhys = [
  "caller",
  "previous_step",
  "previous_turn",
  "sibling",
  "forked_from",
  "rerun_of",
  "fork",
  "rerun",
  "same_step",
] as const;
export type PartnerWhy = (typeof partnerWhys)[number];

/** Of what a turn wrote: first what the same work came to another time. What its caller had is no answer to the same question. */
export const outputWhys: readonly PartnerWhy[] = [
  "rerun_of",
  "forked_from",
  "rerun",
  "fork",
  "same_step",
  "previous_turn",
  "sibling",
  "previous_step",
  "caller",
];

export type BoxPartners = {
  box: DiffBox;
  /** In the order of the reasons, which is another one for an output box; `total` is how many there are, of which `boxes` are the first. */
  partners: { why: PartnerWhy; total: number; boxes: DiffBox[] }[];
};

// A worker ends the turn it runs.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import type { TurnCard } from "./append-cards";
import { endTurn } from "./end-turn";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";

export type DeliverInput = TurnKey & {
  status: EndStatus;
  content: CardContent | null;
  /** Further cards of the last step, in front of the deliverable. */
  cards?: TurnCard[];
  error_code?: string;
  error?: string;
  note?: string;
  worker_id?: string;
};

export async function deliverTurn(
  kernel: Kernel,
  input: DeliverInput,
): Promise<{ deliverable_card_id: string } | Fenced> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "deliver" });
    if (isFenced(row)) return row;
    const { deliverable_card_id } = await endTurn(unit, { ...input, row });
    return { deliverable_card_id };
  });
}

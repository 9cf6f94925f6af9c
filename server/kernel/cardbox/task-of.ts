// Which task an instruction is: a rerun or a fork of a turn writes another text in its place, and that one in another, but the
// records of the delegation name the instruction that was handed over.
import type { Card } from "@/server/contract/card";

export const taskOf = ({ card_id, metadata }: Pick<Card, "card_id" | "metadata">): string =>
  typeof metadata.stands_for === "string" ? metadata.stands_for : card_id;

// Which cards of a message a fork changes. A message may have several, such as the facts of a delegation before its
// instruction, or the thoughts and results of another agent. Only its last card was dropped, and the model was sent the rest. Pure.
import { formatCount } from "@/components/ui/format";
import { DROP_MAX, isHalfOfCall, isWrittenCard } from "@/server/contract/fork-turn";
import type { SeenMessage } from "@/server/contract/turn-sheet";

export type SeenCard = SeenMessage["cards"][number];

const isWritten = ({ type }: SeenCard): boolean => isWrittenCard(type);
/** A text in the place of a half would go with the other half. */
const isHalf = ({ type }: SeenCard): boolean => isHalfOfCall(type);

/** What goes if the message does. */
export const goingOf = ({ cards }: SeenMessage): SeenCard[] => cards.filter((card) => !isWritten(card));
const stayingOf = ({ cards }: SeenMessage): SeenCard[] => cards.filter(isWritten);

/** The card that stands for a message: it is named in the row, and a replacement takes its place. */
export function cardOf(message: SeenMessage): SeenCard | undefined {
  const going = goingOf(message);
  return going.findLast((card) => !isHalf(card)) ?? going.at(-1) ?? message.cards.at(-1);
}

const isTooMany = (message: SeenMessage): boolean => goingOf(message).length > DROP_MAX;
const TOO_MANY = `This message has more than ${formatCount(DROP_MAX, "card")}, so you can't drop or replace it.`;

/** null = it can be dropped. */
export function undroppable(message: SeenMessage, instruction_card_id: string | undefined): string | null {
  if (goingOf(message).length === 0) return "Switchyard writes this message, so you can't drop it.";
  if (isTooMany(message)) return TOO_MANY;
  return message.cards.some(({ card_id }) => card_id === instruction_card_id)
    ? "You can't drop the instruction, because an agent needs one. Replace it instead."
    : null;
}

/** null = it can be replaced. */
export function irreplaceable(message: SeenMessage): string | null {
  const going = goingOf(message);
  if (going.length === 0) return "Switchyard writes this message, so you can't replace it.";
  if (isTooMany(message)) return TOO_MANY;
  if (cardOf(message)?.type === "tool.call")
    return "You can't replace a call that was made. Replace its result, or drop it.";
  return going.length > 1 && going.every(isHalf)
    ? "This message has calls and results only, so a text can't take its place. Drop it instead."
    : null;
}

/** "2 agent.thought, tool.result" */
export function typesOf(cards: readonly SeenCard[]): string {
  const types = [...new Set(cards.map(({ type }) => type))];
  return types
    .map((type) => [type, cards.filter((card) => card.type === type).length] as const)
    .map(([type, count]) => (count === 1 ? type : `${count} ${type}`))
    .join(", ");
}

/** What is edited in the place of several cards: the message without the line that says whose work it is. */
export const withoutHeader = (text: string): string => text.replace(/^\[Background from [^\n]*\]\n\n/, "");

/** Of a message that was chosen, where "the message" is not all that there is to say. */
export function partLine(message: SeenMessage, place: number, fate: "drop" | "replace"): string[] {
  const [going, staying] = [goingOf(message), stayingOf(message)];
  const many = going.length > 1 ? formatCount(going.length, "card") : null;
  // Its header says whose work it is; what a person writes in its place is nobody's background.
  const voice = fate === "replace" && withoutHeader(message.text) !== message.text;
  if (staying.length === 0 && many === null && !voice) return [];
  const gone = `${many === null ? "" : `${many}: `}${typesOf(going)}`;
  const what =
    fate === "drop"
      ? `Message ${place} loses ${gone}.`
      : `Your text for message ${place} takes the place of ${gone}${voice ? " and is sent as the agent's own words" : ""}.`;
  return [staying.length === 0 ? what : `${what} ${typesOf(staying)} stays, because Switchyard writes it.`];
}

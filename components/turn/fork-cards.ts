// Which cards of a message a fork changes. A message may have several, such as the facts of a delegation before its
// instruction, or the thoughts and results of another agent. Only its last card was dropped, and the model was sent the rest. Pure.
import { formatCount } from "@/components/ui/format";
import type { SeenMessage } from "@/server/contract/turn-sheet";

export type SeenCard = SeenMessage["cards"][number];

/** The server refuses to change these (plan-fork.ts). */
const isWritten = ({ type }: SeenCard): boolean => type.startsWith("meta.") || type === "sys.rendered_prompt";
/** A half of a call goes with the other half, and a text in its place would go too. */
const isHalf = ({ type }: SeenCard): boolean => type === "tool.call" || type === "tool.result";

/** What goes if the message does. */
export const goingOf = ({ cards }: SeenMessage): SeenCard[] => cards.filter((card) => !isWritten(card));
const stayingOf = ({ cards }: SeenMessage): SeenCard[] => cards.filter(isWritten);

/** The card that stands for a message: it is named in the row, and a replacement takes its place. */
export function cardOf(message: SeenMessage): SeenCard | undefined {
  const going = goingOf(message);
  return going.findLast((card) => !isHalf(card)) ?? going.at(-1) ?? message.cards.at(-1);
}

/** null = it can be dropped. */
export function undroppable(message: SeenMessage, instruction_card_id: string | undefined): string | null {
  if (goingOf(message).length === 0) return "Switchyard writes this message, so you can't drop it.";
  return message.cards.some(({ card_id }) => card_id === instruction_card_id)
    ? "You can't drop the instruction, because an agent needs one. Replace it instead."
    : null;
}

/** null = it can be replaced. */
export function irreplaceable(message: SeenMessage): string | null {
  const going = goingOf(message);
  if (going.length === 0) return "Switchyard writes this message, so you can't replace it.";
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
  if (staying.length === 0 && many === null) return [];
  const gone = `${many === null ? "" : `${many}: `}${typesOf(going)}`;
  // Several cards of one message are another agent's work; what a person writes in their place is nobody's background.
  const voice = many === null ? "" : " and is sent as the agent's own words";
  const what =
    fate === "drop"
      ? `Message ${place} loses ${gone}.`
      : `Your text for message ${place} takes the place of ${gone}${voice}.`;
  return [staying.length === 0 ? what : `${what} ${typesOf(staying)} stays, because Switchyard writes it.`];
}

// The cards that a pack is made from, as documents: `card://<id>` with the digest of their text. The text is redacted before it is
// stored as a source: a pack keeps its sources, and a secret should not be kept with them.
import { type Card, contentText } from "@/server/contract/card";
import type { BuildDoc } from "@/server/contract/context-pack/build-input";
import { KernelError } from "@/server/contract/errors";
import { getCards } from "../cardbox/get-cards";
import { findBoxes, readBoxIds } from "../cardbox/read-box";
import type { Reader } from "../reader";
import { digestOf } from "./build/ids";
import { byBytes } from "./build/order";
import type { Redactor } from "./build/outcome";

const CARDS_MAX = 1_000;
/** Of all texts together, of cards and of artifacts: each is scanned for secrets. */
export const TEXT_BYTES_MAX = 8_388_608;

type Given = { project_id: string; from_boxes?: string[]; from_cards?: string[] };
export type CardDocs = { docs: BuildDoc[]; texts: Map<string, Uint8Array> };

/** not_found for unknown boxes and cards, source_missing for a named card that was deleted. Those of boxes are left out. */
export async function cardDocs(reader: Reader, given: Given, redact: Redactor): Promise<CardDocs> {
  const { project_id, from_boxes = [], from_cards = [] } = given;
  const boxed = await idsInBoxes(reader, { project_id, box_ids: from_boxes });
  const ids = [...new Set([...from_cards, ...boxed])];
  if (ids.length > CARDS_MAX)
    throw new KernelError(
      "bad_request",
      `from_boxes: there are ${ids.length} cards, at most ${CARDS_MAX} fit. Give fewer`,
    );
  if (ids.length === 0) return { docs: [], texts: new Map() };
  const cards = new Map((await getCards(reader, { project_id, card_ids: ids })).map((card) => [card.card_id, card]));
  for (const [i, card_id] of from_cards.entries()) refuseMissing(cards.get(card_id), card_id, `from_cards.${i}`);
  const named = new Set(from_cards);
  const docs: BuildDoc[] = [];
  const texts = new Map<string, Uint8Array>();
  let size = 0;
  for (const card of cards.values()) {
    const text = contentText(card.content);
    if (text.trim() === "" || (!named.has(card.card_id) && /^(sys|meta)\./.test(card.type))) continue;
    size += Buffer.byteLength(text);
    if (size > TEXT_BYTES_MAX)
      throw new KernelError(
        "payload_too_large",
        `from_cards: the cards have more than ${TEXT_BYTES_MAX} bytes of text, the limit here; give fewer`,
      );
    const bytes = Buffer.from(redact.text(text).text);
    const sha256 = digestOf(bytes);
    texts.set(sha256, bytes);
    // Those of boxes may be dropped when there is no room for all of them.
    docs.push({ path: `card://${card.card_id}`, sha256, ...(!named.has(card.card_id) && { priority: "low" }) });
  }
  return { docs: docs.sort((a, b) => byBytes(a.path, b.path)), texts };
}

async function idsInBoxes(reader: Reader, { project_id, box_ids }: { project_id: string; box_ids: string[] }) {
  if (box_ids.length === 0) return [];
  const { missing_box_ids } = await findBoxes(reader, { project_id, box_ids });
  if (missing_box_ids.length > 0)
    throw new KernelError(
      "not_found",
      `from_boxes: box ${missing_box_ids[0]} not found. Check the id and the project`,
      {
        missing_box_ids,
      },
    );
  return [...(await readBoxIds(reader, { project_id, box_ids })).values()].flat();
}

function refuseMissing(card: Card | undefined, card_id: string, field: string): void {
  if (!card)
    throw new KernelError("not_found", `${field}: card ${card_id} not found. Check the id and the project`, {
      card_id,
    });
  if (card.content !== null && card.gone === undefined) return;
  throw new KernelError("source_missing", `${field}: card ${card_id} was deleted or has expired. Leave it out`, {
    card_id,
  });
}

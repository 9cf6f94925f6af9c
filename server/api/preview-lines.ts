// A preview as the launch dialog lists it. The full one is sent only where it is read in full.
import { formatConsist } from "@/server/contract/consist";
import { type LaunchPreview, type LaunchPreviewLines, PREVIEW_CARDS_END } from "@/server/contract/delegation";
import type { PackResult } from "@/server/contract/pack";

/** Of a stored card, which can be opened by its id. */
const STORED_CHARS = 400;
/** Of a card that does not exist yet, so its text is readable only here. */
const NEW_CHARS = 20_000;

export function previewLines(preview: LaunchPreview): LaunchPreviewLines {
  return preview.ok ? { ...preview, ...packLines(preview.pack) } : preview;
}

/** The same of a box that is packed by hand. */
export function packLines(full: PackResult): { card_total: number; consist: string; pack: PackResult } {
  const { preview: cards = [], rendered, ...pack } = full;
  const isLong = cards.length > 2 * PREVIEW_CARDS_END;
  const listed = isLong ? [...cards.slice(0, PREVIEW_CARDS_END), ...cards.slice(-PREVIEW_CARDS_END)] : cards;
  const messageTokens = rendered?.messages.reduce((sum, message) => sum + message.tokens, 0) ?? 0;
  return {
    card_total: cards.length,
    consist: formatConsist(cards.map((card) => ({ role: card.role, tokens: card.token_count }))),
    pack: {
      ...pack,
      card_ids: [],
      preview: listed.map((card) => ({ ...card, text: cut(card.text, card.is_new ? NEW_CHARS : STORED_CHARS) })),
      rendered: rendered && {
        ...rendered,
        tools: [],
        messages: [{ role: "user", text: "", card_ids: [], tokens: messageTokens }],
      },
    },
  };
}

const cut = (text: string, chars: number): string => (text.length <= chars ? text : `${text.slice(0, chars)}…`);

// The list of cards as people read it: first words instead of content, so that fifty cards of a megabyte each are fifty lines.
import { type Card, contentText } from "@/server/contract/card";
import type { CardLine, CardPage } from "@/server/contract/line";
import { excerptOf, hitRanges } from "@/server/contract/search-words";
import { lineOf } from "../cardbox/card-line";
import { type CardQuery, listCards } from "../cardbox/list-cards";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";

/** bad_request for a cursor of another project, not_found for an unknown project. */
export async function listCardLines(kernel: Kernel, query: CardQuery): Promise<CardPage> {
  const live_cursor = await readCursor(kernel, query.project_id);
  const [page] = await Promise.all([listCards(kernel, query), readProject(kernel, query.project_id)]);
  const { q = "" } = query;
  return { ...page, live_cursor, items: page.items.map((card) => ({ ...lineOf(card), ...hitOf(card, q) })) };
}

/** Where it was found, unless its first words show that. */
function hitOf(card: Card, q: string): Pick<CardLine, "excerpt"> {
  if (q.trim() === "" || hitRanges(lineOf(card).title, q).length > 0) return {};
  const excerpt = excerptOf(contentText(card.content), q);
  return excerpt === null ? {} : { excerpt };
}

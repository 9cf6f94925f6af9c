// The list of cards as people read it: first words instead of content, so that fifty cards of a megabyte each are fifty lines.
import type { CardLine } from "@/server/contract/line";
import type { Page } from "@/server/contract/page";
import { lineOf } from "../cardbox/card-line";
import { type CardQuery, listCards } from "../cardbox/list-cards";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";

/** bad_request for a cursor of another project, not_found for an unknown project. */
export async function listCardLines(kernel: Kernel, query: CardQuery): Promise<Page<CardLine>> {
  const [page] = await Promise.all([listCards(kernel, query), readProject(kernel, query.project_id)]);
  return { ...page, items: page.items.map(lineOf) };
}

// What the list of cards asks for: the page on the server and the screen in the browser must ask the same. Words are a query of the
// search language, and the chosen type, role and author are filters of it.
import { Role } from "@/server/contract/card";
import { beside } from "@/server/contract/search-query/beside";
import type { FieldName } from "@/server/contract/search-query/fields";

export type CardFilter = { q?: string | null; type?: string | null; role?: string | null; author?: string | null };

const SHOWN = 50;

/** Without words: the newest. */
export function cardListQuery(projectId: string, { type, role, author }: CardFilter) {
  return {
    project_id: projectId,
    type: type ?? undefined,
    role: Role.safeParse(role).data,
    author_id: author ?? undefined,
  };
}

/** With words; null = there are none. */
export function cardSearchQuery(projectId: string, { q, type, role, author }: CardFilter) {
  const words = q?.trim() ?? "";
  if (words === "") return null;
  const filters = [filterOf("type", type), filterOf("role", Role.safeParse(role).data), filterOf("author", author)];
  const asked = beside(words, filters.filter(Boolean).join(" "));
  return { project_id: projectId, kind: "card" as const, q: asked, limit: SHOWN };
}

const filterOf = (field: FieldName, value: string | null | undefined): string =>
  value ? `${field}:"${value.replaceAll(/["\\]/g, "\\$&")}"` : "";

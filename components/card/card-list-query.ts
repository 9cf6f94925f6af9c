// What the list of cards asks for: the page on the server and the screen in the browser must ask the same.
import { Role } from "@/server/contract/card";

export type CardFilter = { q?: string | null; type?: string | null; role?: string | null; author?: string | null };

export function cardListQuery(projectId: string, { q, type, role, author }: CardFilter) {
  const words = q?.trim().slice(0, 400);
  return {
    project_id: projectId,
    q: words === "" ? undefined : words,
    type: type ?? undefined,
    role: Role.safeParse(role).data,
    author_id: author ?? undefined,
  };
}

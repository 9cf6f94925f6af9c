// Tarjan's strongly connected components: which nodes reach each other. Only those of several nodes are answered.

/** In the order in which their first nodes are given; their nodes likewise. */
export function components(ids: readonly string[], next: (id: string) => readonly string[]): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const isOpen = new Set<string>();
  const found: Set<string>[] = [];

  const visit = (id: string): number => {
    const own = index.size;
    index.set(id, own);
    low.set(id, own);
    stack.push(id);
    isOpen.add(id);
    for (const other of next(id)) {
      const seen = index.get(other);
      if (seen === undefined) low.set(id, Math.min(low.get(id) ?? own, visit(other)));
      else if (isOpen.has(other)) low.set(id, Math.min(low.get(id) ?? own, seen));
    }
    if (low.get(id) === own) close(id);
    return low.get(id) ?? own;
  };
  const close = (root: string) => {
    const members = stack.splice(stack.lastIndexOf(root));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1) found.push(new Set(members));
  };

  for (const id of ids) if (!index.has(id)) visit(id);
  const inOrder = found.map((members) => ids.filter((id) => members.has(id)));
  return inOrder.sort((a, b) => ids.indexOf(a[0] ?? "") - ids.indexOf(b[0] ?? ""));
}

// Moving one of a list to another place; the rest keeps its order.

/** The same list when nothing moves. `to` is the place it has afterwards. */
export function reorder<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const item = list[from];
  if (item === undefined || place === from) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, place), item, ...rest.slice(place)];
}

// References in the room of a line: cards and boxes by the end of their id, paths by their end, which tells them apart. Pure.

const REF_MAX = 36;

export function shortRef(ref: string): string {
  const [, scheme, id = ""] = /^(card|box):\/\/(.+)$/.exec(ref) ?? [];
  if (scheme !== undefined) return `${scheme} …${id.slice(-8)}`;
  return ref.length > REF_MAX ? `…${ref.slice(1 - REF_MAX)}` : ref;
}

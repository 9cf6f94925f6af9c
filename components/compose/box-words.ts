// What a box is called in a row: its kind and the turn it belongs to.
import type { BoxKind } from "@/server/contract/box";
import type { BoxHit } from "@/server/contract/search";

export const boxKindWords: Record<BoxKind, string> = {
  context: "Context",
  output: "Output",
  profile: "Profile",
  request: "Request",
  pack: "Pack",
  import: "Import",
  plain: "Box",
};

export function boxOwner(hit: BoxHit): string {
  if (hit.owner_headcode === undefined) return "";
  const name = hit.owner_profile_name === "sys.human" ? "you" : (hit.owner_profile_name ?? "");
  return `${hit.owner_headcode} ${name}`;
}

// Whose box a row shows.
import type { BoxHit } from "@/server/contract/search";

export function boxOwner(hit: BoxHit): string {
  if (hit.owner_headcode === undefined) return "";
  const name = hit.owner_profile_name === "sys.human" ? "you" : (hit.owner_profile_name ?? "");
  return `${hit.owner_headcode} ${name}`;
}

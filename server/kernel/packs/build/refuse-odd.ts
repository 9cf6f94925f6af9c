// Values that JSON can hold and the product cannot keep. Each is found before anything recursive walks the input: a deep value
// would overflow the stack there, and a member named __proto__ would vanish on parsing.

import { pointerPart } from "@/server/contract/context-pack/diff-packs";
import { hasBadText } from "@/server/contract/text";
import { BuildFault } from "./outcome";

const DEPTH_MAX = 100;

type Visit = { value: unknown; pointer: string; depth: number };

export function refuseOdd(given: unknown): void {
  const open: Visit[] = [{ value: given, pointer: "", depth: 0 }];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { value, pointer, depth } = visit;
    if (typeof value === "string" && hasBadText(value))
      refuse(pointer, "contains a NUL character or half a surrogate pair. Remove it");
    if (typeof value === "number" && !Number.isFinite(value)) refuse(pointer, "is not a finite number. Give a number");
    if (value === null || typeof value !== "object") continue;
    if (depth === DEPTH_MAX) refuse(pointer, `is nested deeper than ${DEPTH_MAX} levels. Flatten it`);
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__") refuse(pointer, "has a member named __proto__. Rename it");
      if (hasBadText(key)) refuse(pointer, "has a key with a NUL character or half a surrogate pair. Remove it");
      open.push({ value: member, pointer: `${pointer}/${pointerPart(key)}`, depth: depth + 1 });
    }
  }
}

function refuse(pointer: string, cause: string): never {
  const field = pointer === "" ? "input" : pointer;
  throw new BuildFault("invalid_input", `${field}: ${cause}`, { field });
}

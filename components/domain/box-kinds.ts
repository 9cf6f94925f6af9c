// What the kinds of boxes are called, in rows and titles.
import type { BoxKind } from "@/server/contract/box";

export const boxKindWords: Record<BoxKind, string> = {
  context: "Context box",
  output: "Output box",
  profile: "Profile box",
  request: "Request",
  pack: "Pack",
  import: "Imported box",
  plain: "Box",
};

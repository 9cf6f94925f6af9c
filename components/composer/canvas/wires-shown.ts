// Which wires are drawn where nobody has chosen: above sixty only those of the selection. The switch says what the ground shows. Pure.
import type { Wiring } from "../composer-context";
import type { Crate } from "../drawing/loads";

const WIRES_MAX = 60;

export function wiresShown(asked: Wiring, crates: readonly Pick<Crate, "readers">[]): Exclude<Wiring, "auto"> {
  if (asked !== "auto") return asked;
  return crates.reduce((sum, { readers }) => sum + readers.length, 0) > WIRES_MAX ? "selection" : "all";
}

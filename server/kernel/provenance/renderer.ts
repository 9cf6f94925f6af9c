// The texts that go into every prompt of the product. Assembly is given them, so that packing knows no wording.
import type { Renderer } from "../context/assemble-messages";
import { renderPreamble } from "./render-preamble";
import { systemContext } from "./system-context";

export const renderer: Renderer = { preamble: renderPreamble, systemContext };

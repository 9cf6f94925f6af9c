// The texts that go into every prompt of the product. They are passed to the assembly, so that packing contains no wording.
import type { Renderer } from "../context/assemble-messages";
import { renderPreamble } from "./render-preamble";
import { systemContext } from "./system-context";

export const renderer: Renderer = { preamble: renderPreamble, systemContext };

// The answer to the deletion of a project outlives the project by a day. No request comes later that would sweep it with the others.
import { sweepGone } from "../kept-results";
import type { Kernel } from "../kernel";

/** How many are gone. */
export const dropOldAnswers = (kernel: Kernel): Promise<number> => sweepGone(kernel, kernel.tunables.purgeRowsMax);

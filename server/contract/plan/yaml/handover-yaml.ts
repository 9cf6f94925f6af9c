// A hand-over as text, as it is kept in a plan or saved as a recipe.
import { stringify } from "yaml";
import type { Handover } from "../../pack";

export const handoverYaml = (handover: Handover): string => stringify(handover, { lineWidth: 100 });

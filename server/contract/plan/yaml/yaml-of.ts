// A part of a plan as text: a hand-over as it is kept, or a node that is compared.
import { stringify } from "yaml";

export const yamlOf = (part: unknown): string => stringify(part, { lineWidth: 100 });

// What the bytes of a picture say about it.
import type { pictureTypes } from "@/server/contract/artifact";

export type Picture = { mime: (typeof pictureTypes)[number]; width: number; height: number };

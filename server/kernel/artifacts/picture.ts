// What the bytes of a picture say of it.
import type { pictureTypes } from "@/server/contract/artifact";

export type Picture = { mime: (typeof pictureTypes)[number]; width: number; height: number };

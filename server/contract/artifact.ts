// Bytes that a card refers to, stored once per project under their digest. The card claims a type; to show or send them as a
// picture, only the bytes themselves are trusted.
import * as z from "zod";
import type { LlmConfig } from "./profile";

/** What browsers and models accept as a picture. Not SVG: it can contain scripts. */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "64 digits and letters a to f");

/** Width and height in pixels: only for pictures. */
export const ArtifactRef = z.strictObject({
  sha256: Sha256,
  mime: z.string().min(1).max(255),
  size: z.int().min(0).max(1_073_741_824),
  width: z.int().min(1).max(65_535).optional(),
  height: z.int().min(1).max(65_535).optional(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** Of one result. */
export const ARTIFACTS_MAX = 20;

export const isPicture = ({ mime, width, height }: ArtifactRef): boolean =>
  width !== undefined && height !== undefined && (pictureTypes as readonly string[]).includes(mime);

const PIXELS_PER_TOKEN = 750;
const TOKENS_MAX = 1_600;

/** An estimate: 750 pixels a token, 1,600 at most. Providers scale large pictures down, each in its own way. */
export const pictureTokens = ({ width = 0, height = 0 }: ArtifactRef): number =>
  Math.min(TOKENS_MAX, Math.max(1, Math.ceil((width * height) / PIXELS_PER_TOKEN)));

const SEEING =
  /claude-(3|opus|sonnet|haiku|[4-9])|gemini-|gpt-(4o|4\.1|4\.5|4-turbo|4-vision|[5-9])|chatgpt-4o|(^|\/)(o1|o3|o4-mini)($|-\d|-pro)|vision|pixtral|llava|gemma-?3|llama-?4|[-_]vl\b|\dvl\b|kimi-k2\.5|grok-4/i;

/** `llm_config.pictures` wins. A model not known to take pictures gets a text about them instead. */
export const takesPictures = ({ model, pictures }: LlmConfig): boolean =>
  typeof pictures === "boolean" ? pictures : SEEING.test(model ?? "");

// Bytes that a card refers to: kept once in a project, under their digest. A card says what they are; whoever shows or sends
// them as a picture goes by what the bytes themselves say.
import * as z from "zod";
import type { LlmConfig } from "./profile";

/** What browsers and models take as a picture. SVG is a program. */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "64 digits and letters a to f");

/** Width and height in pixels: present for a picture alone. */
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

/** `llm_config.pictures` wins; a model that we do not know to take pictures is told of them in words. */
export const takesPictures = ({ model, pictures }: LlmConfig): boolean =>
  typeof pictures === "boolean" ? pictures : SEEING.test(model ?? "");

// Stored bytes that a build reads. Each is compared with its digest, and what was read, missing or altered is remembered: a
// replay needs the first and names the others.

import { digestOf } from "./ids";
import type { ReadBlob } from "./outcome";
import { BuildFault } from "./outcome";

/** Larger files are listed without an excerpt. */
export const EXCERPTED_BYTES_MAX = 262_144;

export class Blobs {
  private readonly used = new Set<string>();
  private readonly missing = new Set<string>();
  private readonly tampered = new Set<string>();
  private readonly texts = new Map<string, string | null>();

  constructor(private readonly read: ReadBlob) {}

  bytes(sha256: string): Uint8Array | null {
    const bytes = this.read(sha256);
    if (bytes === null) this.missing.add(sha256);
    else if (digestOf(bytes) !== sha256) this.tampered.add(sha256);
    else {
      this.used.add(sha256);
      return bytes;
    }
    return null;
  }

  /** Null = not UTF-8, or not stored, which ends the build later. */
  text(sha256: string): string | null {
    const known = this.texts.get(sha256);
    if (known !== undefined) return known;
    const text = decoded(this.bytes(sha256));
    this.texts.set(sha256, text);
    return text;
  }

  /** All of them at once, so that one answer names everything that is missing. */
  refuseGaps(): void {
    const missing = [...this.missing].sort();
    const tampered = [...this.tampered].sort();
    if (tampered.length > 0)
      throw new BuildFault(
        "source_tampered",
        `The stored bytes of ${named(tampered)} have another digest. Restore them`,
        {
          tampered,
        },
      );
    if (missing.length > 0)
      throw new BuildFault(
        "source_missing",
        `The bytes of ${named(missing)} are not stored. Store them and try again`,
        {
          missing,
        },
      );
  }

  digests(): string[] {
    return [...this.used].sort();
  }
}

const named = (digests: string[]): string =>
  digests.length === 1 ? `sha256:${digests[0]}` : `${digests.length} sources`;

function decoded(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    // Not UTF-8: the file is listed without an excerpt.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

// What people call a pack. Every page names packs in its address bar, so nothing else is loaded for it.

/** P-31D0: the first four digits of the digest. */
export const packCode = (sha256: string): string => `P-${sha256.slice(0, 4).toUpperCase()}`;

// The name of a pack in the artifact store. By digest and not by id: packs of one turn may have one id and different bytes.
export const PACK_AREA = "context";
/** Of the digest, in the name. */
export const PACK_NAME_DIGITS = 16;

export const packName = (sha256: string): string => `pack-${sha256.slice(0, PACK_NAME_DIGITS)}.json`;
export const packRef = (sha256: string): string => `artifact://${PACK_AREA}/${packName(sha256)}`;

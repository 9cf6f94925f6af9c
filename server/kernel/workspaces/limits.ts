// How much one workspace may be. Too many files or bytes are refused; a file over its own limit is left out and counted.
import type { SourceLimits } from "./sources/source";

export const sourceLimits: SourceLimits = {
  filesMax: 50_000,
  fileBytesMax: 8_388_608,
  totalBytesMax: 1_073_741_824,
};
/** Larger texts are listed, and their words and imports are not read. */
export const PARSED_BYTES_MAX = 524_288;
/** Larger files of an upload are listed, and their bytes are not kept. */
export const STORED_BYTES_MAX = 1_048_576;

// One file as a row of the index: digest, words, and what it imports as it is written there.
import { createHash } from "node:crypto";
import { deniedPath } from "../redaction/denied-path";
import type { openImports } from "./imports/specifiers";
import { PARSED_BYTES_MAX } from "./limits";
import type { SourceFile } from "./sources/source";
import { countTerms } from "./terms";

export type FileRow = {
  path: string;
  sha256: string;
  size: number;
  stamp: string;
  kind: "text" | "binary";
  specifiers: string[];
  terms: string[];
  counts: number[];
  length: number;
};
/** `text` is null for a binary file. */
export type ReadRow = { row: FileRow; bytes: Uint8Array; text: string | null };
type Imports = ReturnType<typeof openImports>;

const SPECIFIERS_MAX = 500;

/** Size and time of change: the same pair is taken for the same bytes. Without a time, no pair is the same as another. */
export const stampOf = ({ size, mtimeMs }: SourceFile): string => (mtimeMs === undefined ? "" : `${size}.${mtimeMs}`);

export async function readOne(file: SourceFile, imports: Imports): Promise<ReadRow> {
  const { path } = file;
  const bytes = await file.read();
  const text = textOf(bytes);
  const isRead = text !== null && bytes.byteLength <= PARSED_BYTES_MAX && !deniedPath(path);
  const row: FileRow = {
    path,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.byteLength,
    stamp: stampOf(file),
    kind: text === null ? "binary" : "text",
    specifiers: isRead ? (await imports.specifiersOf(path, text)).filter(isKept).slice(0, SPECIFIERS_MAX) : [],
    ...(await countTerms(path, isRead ? text : "")),
  };
  return { row, bytes, text };
}

const isKept = (specifier: string): boolean =>
  specifier.length <= 500 && !specifier.includes("\0") && !/\p{Surrogate}/u.test(specifier);

/** Null = binary: a zero byte, or not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

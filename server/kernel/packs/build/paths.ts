// Paths as a pack has them: relative to the root of the repository, separated by "/". What could leave it is refused.
import { BuildFault } from "./outcome";

/** Relative, without "./" and without a leading "/". */
export function repoPath(given: string, field: string): string {
  const path = given.replaceAll("\\", "/");
  const refuse = (cause: string): never => {
    throw new BuildFault("invalid_input", `${field}: ${cause}`, { field });
  };
  if (/^[A-Za-z]:/.test(path)) refuse("begins with a drive. Give a path relative to the root of the repository");
  // An address with a password in it would lose the "//" that shows it to be one.
  if (path.includes("://")) refuse("is an address. Give a path relative to the root of the repository");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\u0000-\u001f\u007f]/.test(path)) refuse("contains a control character. Remove it");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) refuse('contains "..". Give a path inside the repository');
  if (parts.length === 0) refuse("names no file. Give a path such as src/main.ts");
  return parts.join("/");
}

/** Documents keep a leading "/". */
export const docPath = (path: string): string => (isReference(path) ? path : `/${path}`);

/** A card or an artifact, whose text is stored under its digest. */
export const isReference = (path: string): boolean => /^(card|artifact):\/\//.test(path);

/** The folder without slashes around it: "" is the root. */
export function docsFolder(given: string | undefined): string {
  const root = (given ?? "/docs").replaceAll("\\", "/");
  return /^[./]*$/.test(root) && !root.includes("..") ? "" : repoPath(root, "docsRoot");
}

export const isUnder = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`);

/** ["src/a.ts"] or ["src/"]: whether one of them is the file or a folder around it. */
export function ownership(owned: readonly string[]): (path: string) => boolean {
  const files = new Set(owned.filter((one) => !one.endsWith("/")));
  const folders = new Set(owned.filter((one) => one.endsWith("/")).map((one) => one.slice(0, -1)));
  return (path) => {
    if (files.has(path)) return true;
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      if (folders.has(path.slice(0, at))) return true;
    return false;
  };
}

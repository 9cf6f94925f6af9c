// Which names a tree may have. A name is refused the same way in a folder, a tar and a bundle, so that none of them brings
// in a path that another place would read differently: `..`, a backslash, bytes that are no UTF-8.

const PATH_BYTES_MAX = 1024;
const DEPTH_MAX = 64;

/** U+FFFD stands where bytes were no UTF-8: two such names could be one and the same text. */
export function isGoodName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0\uFFFD]/.test(name);
}

export function isGoodPath(path: string): boolean {
  const names = path.split("/");
  return names.length <= DEPTH_MAX && Buffer.byteLength(path) <= PATH_BYTES_MAX && names.every(isGoodName);
}

/** The order of UTF-8 bytes, which is that of code points and not that of JavaScript's own comparison. */
export const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** On macOS and Windows `.GIT` is the same folder. */
export const isGitFolder = (name: string) => name.toLowerCase() === ".git";

// Files whose text is never shown, whatever the rules find in it: they exist to hold secrets. Their path may be listed.

const DENIED = [/^\.env/, /\.pem$/, /^id_rsa/, /\.p12$/, /^\.npmrc$/, /^\.netrc$/];

/** By the name of the file, in any folder and in any case. Both kinds of slash divide folders. */
export function deniedPath(path: string): boolean {
  const name = path.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  return DENIED.some((pattern) => pattern.test(name.toLowerCase()));
}

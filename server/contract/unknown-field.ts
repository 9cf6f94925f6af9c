// What to do about a field that is not known. Two of them are nothing that an author wrote: a YAML 1.1 program (PyYAML, Ruby,
// Ansible) reads the bare key `on` as true and writes it back as `true`, and a merge key is copied as a field named `<<`.

/** `fields`: those that are known in its place. */
export function remedyOf(key: string | undefined, fields: readonly string[]): string {
  const word = WORDS.get(key ?? "")?.find((one) => fields.includes(one));
  if (word !== undefined)
    return `A YAML 1.1 program reads the bare word ${word} as ${key}: write the field as '${word}', in quotes`;
  if (key === "<<") return "Merge keys are not part of YAML 1.2: write the fields out";
  return fields.length === 0 ? "Leave it out" : `Known fields: ${fields.join(", ")}`;
}

// No object: a field named `constructor` would find what every object inherits.
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["true", ["on", "yes", "y"]],
  ["false", ["off", "no", "n"]],
]);

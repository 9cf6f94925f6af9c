// What is wrong with a text, and where.
export type YamlProblem = { line: number; column: number; path: string; message: string };

/** `at`: the offset in the text. */
export class Fault extends Error {
  constructor(
    message: string,
    readonly at: number | undefined,
  ) {
    super(message);
  }
}

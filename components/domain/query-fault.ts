// Where a query of the search language cannot be read, from the words of the refusal. Pure.
export type QueryFault = { column: number; message: string };

/** "q: column 14: unknown field ..."; null = it is about something else. */
export function faultOf(message: string): QueryFault | null {
  const [, column, text] = /^q: column (\d+): (.*)$/s.exec(message) ?? [];
  return column === undefined || text === undefined ? null : { column: Number(column), message: text };
}

/** The query around the fault: what is read, and from where it cannot be. */
export function splitAt(query: string, { column }: QueryFault): { before: string; from: string } {
  const letters = [...query];
  const at = Math.min(Math.max(0, column - 1), letters.length);
  return { before: letters.slice(0, at).join(""), from: letters.slice(at).join("") };
}

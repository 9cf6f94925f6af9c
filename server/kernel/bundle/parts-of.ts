// Lines in parts of a bounded size, so that one statement takes many of them and none too many bytes.
const LINES_MAX = 500;
const BYTES_MAX = 4_194_304;

export async function* partsOf<T>(lines: AsyncIterable<unknown>): AsyncGenerator<T[]> {
  let part: T[] = [];
  let size = 0;
  for await (const line of lines) {
    const length = JSON.stringify(line).length;
    if (part.length > 0 && (part.length === LINES_MAX || size + length > BYTES_MAX)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(line as T);
    size += length;
  }
  if (part.length > 0) yield part;
}

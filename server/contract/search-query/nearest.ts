// "did you mean": the known name that a mistyped one is closest to.

/** Empty if nothing is close. Otherwise it begins with "; ". */
export function didYouMean(name: string, known: readonly string[]): string {
  const typed = name.slice(0, 64).toLowerCase();
  const most = typed.length <= 3 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const one of known) {
    const changes = changesBetween(typed, one.toLowerCase());
    if (changes < least) [best, least] = [one, changes];
  }
  return best === undefined ? "" : `; did you mean "${best}"?`;
}

/** Letters to add, drop, replace, or swap with their neighbour. */
function changesBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const replaced = cell(above, j - 1) + (isSame ? 0 : 1);
      let least = Math.min(cell(above, j) + 1, cell(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, cell(before, j - 2) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return cell(above, b.length);
}

const cell = (row: readonly number[], at: number): number => row[at] ?? Number.POSITIVE_INFINITY;

// The columns of a statement, written out. A star stands for what the table is at the moment: for the length of a deployment
// two versions run side by side, and the older one's prepared statements fail when the newer one adds a column.

/** `alias`: what the table is called in the statement. */
export const columnsOf = (columns: readonly string[], alias: string): string =>
  columns.map((column) => `${alias}.${column}`).join(", ");

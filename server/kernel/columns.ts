// The columns of a statement, written out. A star means whatever the table has at that moment: during a deployment two
// versions run side by side, and prepared statements of the older one fail when the newer one adds a column.

/** `alias`: the table's name in the statement. */
export const columnsOf = (columns: readonly string[], alias: string): string =>
  columns.map((column) => `${alias}.${column}`).join(", ");

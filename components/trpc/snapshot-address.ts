// Where the picture of a yard is read from. The page names it in its head, so that the server reads the picture while the browser still
// fetches the code that asks for it; the address is that of httpLink, or the picture would be fetched twice (e2e/compressed.spec.ts).

export const snapshotPath = "graph.snapshot";

export const snapshotAddress = (input: object): string =>
  `/api/trpc/${snapshotPath}?input=${encodeURIComponent(JSON.stringify(input))}`;

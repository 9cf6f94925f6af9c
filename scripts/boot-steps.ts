// What happens once the database is up to date and before anything serves it, in this order.

export type BootStep = { title: string; run: (databaseUrl: string) => Promise<void> };

export const bootSteps: BootStep[] = [];

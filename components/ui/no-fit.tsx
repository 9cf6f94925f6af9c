// A list that holds things, and none that the filter lets through: says so, and the way back.
import type { ReactNode } from "react";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

export type NoFitProps = { title: string; cause: ReactNode; onClear: () => void };

export function NoFit({ title, cause, onClear }: NoFitProps) {
  return <EmptyState title={title} cause={cause} remedy={<Button onClick={onClear}>Clear the filters</Button>} />;
}

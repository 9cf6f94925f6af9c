// The columns of the yard as a table.

export type TreeColumn = {
  key: "turn" | "status" | "agent" | "task" | "begun" | "duration" | "tokens" | "cost" | "fill" | "cards";
  name: string;
  isRight?: boolean;
};

export const treeColumns: readonly TreeColumn[] = [
  { key: "turn", name: "Turn" },
  { key: "status", name: "Status" },
  { key: "agent", name: "Agent" },
  { key: "task", name: "Task" },
  { key: "begun", name: "Started", isRight: true },
  { key: "duration", name: "Duration", isRight: true },
  { key: "tokens", name: "Reported", isRight: true },
  { key: "cost", name: "Cost", isRight: true },
  { key: "fill", name: "Window", isRight: true },
  { key: "cards", name: "Cards", isRight: true },
];

"use client";

// Which columns the table shows. The title always stands.
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck, MenuLabel } from "@/components/ui/menu";
import type { RunSort } from "@/server/contract/run-order";
import { columnOrder, runColumns } from "./run-columns";

type ChooseColumnsProps = { columns: readonly RunSort[]; onChange: (columns: readonly RunSort[]) => void };

export function ChooseColumns({ columns, onChange }: ChooseColumnsProps) {
  return (
    <Menu
      trigger={
        <Button size="sm" icon="settings">
          Columns
        </Button>
      }
    >
      <MenuLabel>Columns</MenuLabel>
      {columnOrder
        .filter((column) => column !== "title")
        .map((column) => (
          <MenuCheck
            key={column}
            isChecked={columns.includes(column)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...columns, column] : columns.filter((other) => other !== column))
            }
          >
            {runColumns[column].name}
          </MenuCheck>
        ))}
    </Menu>
  );
}

"use client";

// Everything folded, nothing, or what folds by itself.
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";
import { ALIKE_MAX } from "../plan/alike";
import { ALL, FOLD_ABOVE, NONE } from "../plan/folds";
import { useYard } from "../yard-context";

export function FoldMenu({ size }: { size?: "touch" }) {
  const { folds, foldAll } = useYard();
  const now = folds.includes(ALL) ? "all" : folds.includes(NONE) ? "none" : folds.length === 0 ? "itself" : null;
  return (
    <Menu
      className="max-w-80"
      trigger={<IconButton icon="cards" label="Fold" size={size} iconSize={size === "touch" ? 19 : 15} />}
    >
      <MenuLabel>Many turns as one wagon</MenuLabel>
      <MenuItem icon={now === "all" ? "check" : "minus"} detail="<" onSelect={() => foldAll("all")}>
        Fold all
      </MenuItem>
      <MenuItem icon={now === "none" ? "check" : "plus"} detail=">" onSelect={() => foldAll("none")}>
        Unfold all
      </MenuItem>
      <MenuItem icon={now === "itself" ? "check" : "undo"} onSelect={() => foldAll("itself")}>
        Fold only forks over {FOLD_ABOVE} and calls alike over {ALIKE_MAX}
      </MenuItem>
    </Menu>
  );
}

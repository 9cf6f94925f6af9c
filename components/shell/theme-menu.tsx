"use client";

// As the system says, or dark, or light.
import { useTheme } from "next-themes";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice } from "@/components/ui/menu";

export type ThemeName = "dark" | "light" | "system";

export function ThemeMenu() {
  return (
    <Menu
      side="right"
      align="end"
      trigger={
        <button type="button" aria-label="Theme" title="Theme" className="rail-item">
          <Icon name="sun" size={18} />
        </button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}

/** Inside a menu. */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return (
    <MenuChoice<ThemeName>
      value={theme === "light" || theme === "dark" ? theme : "system"}
      onChange={setTheme}
      choices={[
        { value: "system", label: "System", icon: "monitor" },
        { value: "dark", label: "Dark", icon: "moon" },
        { value: "light", label: "Light", icon: "sun" },
      ]}
    />
  );
}

"use client";

// Dark, light, or as the system says.
import { useTheme } from "next-themes";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice } from "@/components/ui/menu";

export type ThemeName = "dark" | "light" | "system";

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
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
      <MenuChoice<ThemeName>
        value={theme === "light" || theme === "system" ? theme : "dark"}
        onChange={setTheme}
        choices={[
          { value: "dark", label: "Dark", icon: "moon" },
          { value: "light", label: "Light", icon: "sun" },
          { value: "system", label: "System", icon: "monitor" },
        ]}
      />
    </Menu>
  );
}

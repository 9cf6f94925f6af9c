"use client";

// What the rail holds on a desk, for a phone: every section, projects, health, the theme and the person. Five tabs at the
// thumb do not name them all, and the projects page has no tabs.
import { usePathname } from "next/navigation";
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { PersonItems, type ShellPerson } from "./person-menu";
import { countLabel, type SectionCounts, type SectionLink, sectionOf } from "./shell-links";
import { ThemeChoice } from "./theme-menu";

export type PhoneMenuProps = { links: readonly SectionLink[]; person: ShellPerson; counts?: SectionCounts };

export function PhoneMenu({ links, person, counts = {} }: PhoneMenuProps) {
  const pathname = usePathname();
  const current = sectionOf(pathname);
  return (
    <Menu
      align="end"
      className="w-64"
      trigger={
        <button type="button" aria-label="Menu" className="phone-menu sm:hidden">
          <Icon name="menu" size={19} />
        </button>
      }
    >
      {links.map(({ section, href, icon, label }) => (
        <Place
          key={section}
          href={href}
          icon={icon}
          label={countLabel(label, counts[section])}
          isCurrent={section === current}
        />
      ))}
      {links.length === 0 ? null : <MenuSeparator />}
      <Place href="/" icon="board" label="Projects" isCurrent={pathname === "/"} />
      <Place href="/health" icon="pulse" label="Health" isCurrent={pathname === "/health"} />
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <ThemeChoice />
      <MenuSeparator />
      <PersonItems person={person} />
    </Menu>
  );
}

function Place({ href, icon, label, isCurrent }: { href: string; icon: IconName; label: string; isCurrent: boolean }) {
  return (
    <MenuLink>
      <Link href={href} aria-current={isCurrent ? "page" : undefined}>
        <Icon name={icon} size={16} className="flex-none text-ink-2" />
        <span className={isCurrent ? "min-w-0 flex-1 font-[650]" : "min-w-0 flex-1"}>{label}</span>
      </Link>
    </MenuLink>
  );
}

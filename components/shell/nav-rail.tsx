"use client";

// The rail at the left edge: the sections of the project, and at its foot help, theme and the person.
import { usePathname } from "next/navigation";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { Tooltip } from "@/components/ui/tooltip";
import { PersonMenu, type ShellPerson } from "./person-menu";
import { countLabel, type SectionCounts, type SectionLink, sectionOf } from "./shell-links";
import { ThemeMenu } from "./theme-menu";

export type NavRailProps = {
  links: readonly SectionLink[];
  person: ShellPerson;
  /** What needs a person, at the section where it is. */
  counts?: SectionCounts;
  onHelp: () => void;
};

export function NavRail({ links, person, counts = {}, onHelp }: NavRailProps) {
  const pathname = usePathname();
  const current = sectionOf(pathname);
  const isHealth = pathname === "/health";
  return (
    <nav aria-label="Main" className="nav-rail">
      {/* Beside it is where you are: the tooltip stands below that line. */}
      <Tooltip label="Projects" keys="g h" side="right" align="start" alignOffset={46}>
        <Link href="/" aria-label="Projects" className="mb-1.5 grid h-11 w-13 place-items-center">
          <Logo size={26} />
        </Link>
      </Tooltip>
      {links.map((link) => (
        <Tooltip key={link.section} label={link.label} keys={link.keys} side="right">
          <Link
            href={link.href}
            aria-label={countLabel(link.label, counts[link.section])}
            aria-current={link.section === current ? "page" : undefined}
            className="rail-item"
          >
            <Icon name={link.icon} size={18} />
            {counts[link.section] ? (
              <span aria-hidden className="rail-count">
                {Math.min(counts[link.section] ?? 0, 99)}
              </span>
            ) : null}
          </Link>
        </Tooltip>
      ))}
      <span className="flex-1" />
      <Tooltip label="Health" keys="g s" side="right">
        <Link href="/health" aria-label="Health" aria-current={isHealth ? "page" : undefined} className="rail-item">
          <Icon name="pulse" size={18} />
        </Link>
      </Tooltip>
      <Tooltip label="All shortcuts" keys="?" side="right">
        <button type="button" aria-label="All shortcuts" className="rail-item" onClick={onHelp}>
          <Icon name="help" size={18} />
        </button>
      </Tooltip>
      <ThemeMenu />
      <PersonMenu person={person} />
    </nav>
  );
}

"use client";

// The rail of a phone: two sections, the launch under the thumb, two more. Where the page has a launch of its own, Plans stands there.
import { usePathname } from "next/navigation";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { type Section, type SectionLink, sectionOf } from "./shell-links";

export function BottomTabs({ links, hasLaunch }: { links: readonly SectionLink[]; hasLaunch: boolean }) {
  const current = sectionOf(usePathname());
  const launch = useLaunchWith();
  if (links.length === 0) return null;
  const tab = (section: Section) => links.filter((link) => link.section === section);
  return (
    <nav aria-label="Sections" className="bottom-tabs">
      {[...tab("yard"), ...tab("agents"), ...(hasLaunch ? [] : tab("plans"))].map((link) => (
        <Tab key={link.section} link={link} isCurrent={link.section === current} />
      ))}
      {hasLaunch ? (
        <button type="button" aria-label="Launch" className="bottom-tab" onClick={() => launch({})}>
          <span className="grid size-11 place-items-center rounded-[8px] bg-lamp text-on-lamp">
            <Icon name="launch" size={20} />
          </span>
        </button>
      ) : null}
      {[...tab("boxes"), ...tab("cards")].map((link) => (
        <Tab key={link.section} link={link} isCurrent={link.section === current} />
      ))}
    </nav>
  );
}

function Tab({ link, isCurrent }: { link: SectionLink; isCurrent: boolean }) {
  return (
    <Link href={link.href} aria-current={isCurrent ? "page" : undefined} className="bottom-tab">
      <Icon name={link.icon} size={20} />
      {link.label}
    </Link>
  );
}

"use client";

// One `g …` sequence per section. A component each, because hooks cannot be called in a loop.
import { useRouter } from "next/navigation";
import { useShortcut } from "@/components/ui/shortcuts";
import type { SectionLink } from "./shell-links";

export function SectionShortcuts({ links }: { links: readonly SectionLink[] }) {
  return links.map((link) => <SectionShortcut key={link.section} link={link} />);
}

function SectionShortcut({ link }: { link: SectionLink }) {
  const router = useRouter();
  useShortcut(link.keys, link.label, () => router.push(link.href), { group: "Go to" });
  return null;
}

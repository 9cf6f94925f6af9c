"use client";

// The person at the foot of the rail; where the server asks for a token, also the way out.
import { signOut } from "@/components/trpc/session";
import { announce } from "@/components/ui/announcements";
import { HumanMark } from "@/components/ui/human-mark";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";
import { Tooltip } from "@/components/ui/tooltip";

export type ShellPerson = {
  name: string;
  /** True where the server asks for a token: then there is something to sign out of. */
  canSignOut?: boolean;
};

export function PersonMenu({ person }: { person: ShellPerson }) {
  if (!person.canSignOut)
    return (
      <Tooltip label={person.name} side="right">
        <span className="grid size-9 place-items-center">
          <HumanMark name={person.name} size={24} />
        </span>
      </Tooltip>
    );
  return (
    <Menu
      side="right"
      align="end"
      trigger={
        <button type="button" aria-label="You" title={person.name} className="rail-item">
          <HumanMark name={person.name} size={24} />
        </button>
      }
    >
      <PersonItems person={person} />
    </Menu>
  );
}

/** Inside a menu: who one is, and the way out where there is one. */
export function PersonItems({ person }: { person: ShellPerson }) {
  return (
    <>
      <MenuLabel>{person.name}</MenuLabel>
      {person.canSignOut ? (
        <>
          <MenuItem icon="leave" onSelect={() => leave()}>
            Sign out
          </MenuItem>
          <MenuItem icon="leave" onSelect={() => leave({ isEverywhere: true })}>
            Sign out everywhere
          </MenuItem>
        </>
      ) : null}
    </>
  );
}

export function leave(where: { isEverywhere?: boolean } = {}): void {
  signOut(where).catch((error: Error) =>
    announce({ title: "Could not sign out", detail: `${error.message}. Try again.`, status: "failed" }),
  );
}

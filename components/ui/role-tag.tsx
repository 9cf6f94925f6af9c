// The role of a card as a boxed letter: the letter holds where hue does not.
import type { CardRole } from "./card-role";
import { roleWords } from "./sign-words";

export function RoleTag({ cardRole, className = "" }: { cardRole: CardRole; className?: string }) {
  return (
    <span
      className={`role-tag ${className}`}
      data-role={cardRole}
      role="img"
      aria-label={cardRole}
      title={`${cardRole}: ${roleWords[cardRole]}`}
    >
      {cardRole.charAt(0).toUpperCase()}
    </span>
  );
}

/** The vertical bar that carries a role at the edge of a row. */
export function RoleBar({ cardRole, className = "" }: { cardRole: CardRole; className?: string }) {
  return <i aria-hidden className={`role-fill block w-[3px] flex-none rounded-1 ${className}`} data-role={cardRole} />;
}

// Shown while files are over the window.
import { Icon } from "@/components/ui/icon";

export function DropSign({ isShown }: { isShown: boolean }) {
  if (!isShown) return null;
  return (
    <div className="profile-drop" aria-hidden>
      <p className="flex items-center gap-2.5">
        <Icon name="upload" size={20} />
        Drop to read as a profile
      </p>
    </div>
  );
}

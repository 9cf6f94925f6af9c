"use client";

// Where announcements are drawn, and the library that draws them; toaster.tsx is how a page speaks to it.
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { Link } from "@/components/ui/link";
import { type Announcement, hearAnnouncements } from "./announcements";
import { Aspect } from "./aspect";

export function ToastHost() {
  // The host below listens by now: its effects run before these.
  useEffect(() => hearAnnouncements(show), []);
  return (
    <Sonner
      position="bottom-left"
      offset={{ left: 64, bottom: 16 }}
      mobileOffset={{ left: 12, right: 12, bottom: 76 }}
      gap={8}
      toastOptions={{ unstyled: true, classNames: { toast: "toast" } }}
    />
  );
}

function show(said: Announcement): void {
  const { title, detail, status, action, link } = said;
  toast.custom(
    (id) => (
      <div className="flex items-start gap-2.5">
        {status === undefined ? null : <Aspect status={status} size={15} className="mt-px" label={null} />}
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{title}</p>
          {detail === undefined ? null : <p className="mt-0.5 break-words text-ink-2">{detail}</p>}
        </div>
        {link === undefined ? null : (
          <Link className="btn" data-size="sm" href={link.href} prefetch={false} onClick={() => toast.dismiss(id)}>
            {link.label}
          </Link>
        )}
        {action === undefined ? null : (
          <button
            type="button"
            className="btn"
            data-size="sm"
            onClick={() => {
              action.run();
              toast.dismiss(id);
            }}
          >
            {action.label}
          </button>
        )}
        {status === "failed" ? (
          <button type="button" className="btn" data-size="sm" data-variant="ghost" onClick={() => toast.dismiss(id)}>
            Close
          </button>
        ) : null}
      </div>
    ),
    { duration: durationOf(said) },
  );
}

/** What can be followed stays until a hand or the Tab key has come there. */
const durationOf = ({ status, action, link }: Announcement): number =>
  status === "failed" ? Number.POSITIVE_INFINITY : action === undefined && link === undefined ? 5000 : 20_000;

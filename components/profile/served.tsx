// The worker target of a profile, and whether anybody takes it: a launch on an untaken one only waits.
import { unservedWords } from "@/components/domain/served-kinds";
import { Icon } from "@/components/ui/icon";
import type { AskedOfWorkers } from "@/server/contract/health";

/** `isMissing` undefined: not known yet, so only the target is shown. */
export function Served({ profile, isMissing }: { profile: AskedOfWorkers; isMissing: boolean | undefined }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="mono truncate text-[11.5px]" title={profile.worker_target}>
        {profile.worker_target}
      </span>
      {isMissing ? (
        <span className="flex flex-none items-center gap-1 text-st-partial" title={unservedWords(profile)}>
          <Icon name="warn" size={13} />
          no worker
        </span>
      ) : null}
    </span>
  );
}

// Whether this keyboard says ⌘ where others say Ctrl. The server cannot know, so it draws Ctrl first.
import { useSyncExternalStore } from "react";

export function useIsApple(): boolean {
  return useSyncExternalStore(never, isApple, () => false);
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

function never(): () => void {
  return () => {};
}

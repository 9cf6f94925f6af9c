"use client";

// What is being put together, read from the URL and written back to it.
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { type LaunchKind, type LaunchTarget, launchParams, loadFromUrl, loadToUrl } from "./launch-url";
import type { LoadItem } from "./load-item";

export type Launch = {
  isOpen: boolean;
  kind: LaunchKind;
  target: LaunchTarget | null;
  load: readonly LoadItem[];
  /** The name of a context pack; "" = none. */
  pack: string;
  /** The root turn of the run that it is added to; null = a run of its own. */
  into: string | null;
  setInto: (into: string | null) => void;
  close: () => void;
  setKind: (kind: LaunchKind) => void;
  setTarget: (target: LaunchTarget | null) => void;
  setLoad: (load: readonly LoadItem[]) => void;
  setPack: (pack: string) => void;
  /** Another task of the fork is in the fields now. */
  show: (task: { target: LaunchTarget | null; load: readonly LoadItem[]; context_pack: string }) => void;
};

export function useLaunch(): Launch {
  const [state, setState] = useQueryStates(launchParams);
  return useMemo(
    () => ({
      isOpen: state.launch !== null,
      kind: state.kind,
      target: state.target,
      load: loadFromUrl(state),
      pack: state.context_pack ?? "",
      into: state.into,
      setInto: (into) => void setState({ into }),
      close: () =>
        void setState({
          launch: null,
          kind: null,
          target: null,
          boxes: null,
          cards: null,
          load: null,
          context_pack: null,
          into: null,
        }),
      setKind: (kind) => void setState({ kind }),
      setTarget: (target) => void setState({ target }),
      setLoad: (load) => void setState(loadToUrl(load)),
      setPack: (pack) => void setState({ context_pack: pack || null }),
      show: ({ target, load, context_pack }) =>
        void setState({ target, ...loadToUrl(load), context_pack: context_pack || null }),
    }),
    [state, setState],
  );
}

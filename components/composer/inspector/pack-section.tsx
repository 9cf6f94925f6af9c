"use client";

// The context pack of a wagon: none, one that exists, or what to build one from when the wagon starts.
import { useState } from "react";
import { usePackChoices, withChosen } from "@/components/domain/use-pack-choices";
import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { GOAL_MAX } from "@/server/contract/context-pack/request";
import { PACK_LIMITS } from "@/server/contract/context-pack/sidecar";
import type { Rider } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer } from "../composer-context";
import { setting } from "../draft/edits";
import { TextField } from "./fields";
import { PackFiles } from "./pack-files";

const NONE = "";
const BUILD = "build";

export function PackSection({ place, rider }: { place: string; rider: Rider }) {
  const { projectId, store } = useComposer();
  const packs = usePackChoices(projectId);
  const pack = rider.context_pack;
  const chosen = pack === undefined ? NONE : "goal" in pack ? BUILD : "ref" in pack ? pack.ref : pack.pack_id;
  const options = [{ value: NONE, label: "none" }, { value: BUILD, label: "built when it starts" }, ...packs];
  const choose = (next: string) => {
    if (next === chosen) return;
    const found = packs.find(({ value }) => value === next);
    const value =
      next === NONE
        ? undefined
        : next === BUILD
          ? { goal: nameOf(rider) }
          : { ref: next, ...(found && { sha256: found.sha256 }) };
    store.change(setting(store.get().plan, place, "/context_pack", value, "context pack"));
  };
  return (
    <Section>
      <Field label="Context pack" isQuiet>
        <Select field="context_pack" value={chosen} options={withChosen(options, chosen)} onChange={choose} />
      </Field>
      {pack && "goal" in pack ? (
        <>
          <div className="h-2" />
          <TextField
            place={place}
            path="/context_pack/goal"
            label="Goal"
            value={pack.goal}
            rows={2}
            maxLength={GOAL_MAX * 2}
            isKept
          />
          <div className="h-2" />
          <DoneField place={place} lines={pack.definition_of_done ?? []} />
          <div className="h-2" />
          <PackFiles place={place} workspace={pack.workspace} search={pack.search} />
          <p className="mt-1.5 text-ink-3 text-note">
            At most {PACK_LIMITS[pack.profile].toLocaleString("en")} tokens, read before the task.
          </p>
        </>
      ) : null}
    </Section>
  );
}

/** One sentence a line. Empty lines stay while one types, and are no sentences. */
function DoneField({ place, lines }: { place: string; lines: string[] }) {
  const { store } = useComposer();
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const write = (text: string) => {
    setTyped(text);
    const next = text.split("\n").flatMap((line) => line.trim() || []);
    const value = next.length === 0 ? undefined : next;
    const change = setting(
      store.get().plan,
      place,
      "/context_pack/definition_of_done",
      value,
      "definition of done",
      true,
    );
    setError(store.change(change)?.message ?? null);
  };
  return (
    <Field label="Definition of done, one per line" isQuiet error={error}>
      <TextArea
        rows={3}
        value={typed ?? lines.join("\n")}
        onBlur={() => setTyped(null)}
        onChange={({ target }) => write(target.value)}
      />
    </Field>
  );
}

"use client";

// Packs whose decisions are taken over.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Select } from "@/components/ui/select";

export type DecisionsFieldProps = {
  projectId: string;
  /** Ids of packs. */
  chosen: readonly string[];
  error?: string;
  onChange: (chosen: readonly string[]) => void;
};

const CHOICES_MAX = 100;

export function DecisionsField({ projectId, chosen, error, onChange }: DecisionsFieldProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.context_pack.list.queryOptions({ project_id: projectId, limit: CHOICES_MAX }, patient));
  // The newest of an id comes first, and stands for it.
  const packs = [...new Map((list.data?.items ?? []).toReversed().map((pack) => [pack.pack_id, pack])).values()];
  const nameOf = (id: string) => packs.find(({ pack_id }) => pack_id === id)?.code ?? id;
  const open = packs.filter(({ pack_id }) => !chosen.includes(pack_id));
  if (packs.length === 0 && chosen.length === 0) return null;
  return (
    <Field label="Decisions from packs" aside="optional" error={error}>
      {chosen.length === 0 ? null : (
        <span className="flex flex-wrap gap-1.5">
          {chosen.map((id) => (
            <span key={id} className="chip">
              <span className="mono">{nameOf(id)}</span>
              <button
                type="button"
                aria-label={`Remove ${nameOf(id)}`}
                onClick={() => onChange(chosen.filter((one) => one !== id))}
              >
                <Icon name="x" size={12} />
              </button>
            </span>
          ))}
        </span>
      )}
      <Select
        placeholder={open.length === 0 ? "No other pack" : "Add a pack"}
        isDisabled={open.length === 0}
        value={null}
        options={open.map(({ pack_id, code, title }) => ({ value: pack_id, label: `${code}: ${title}` }))}
        onChange={(id) => onChange([...chosen, id])}
      />
    </Field>
  );
}

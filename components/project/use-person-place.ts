"use client";

// What the dialog of a person's data shows is in the address: a link that leads out of it leads back to the same place.
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { PERSON_KINDS } from "@/server/contract/person-data";

const place = {
  /** The project. */
  people: parseAsString,
  person: parseAsString,
  kind: parseAsStringLiteral(PERSON_KINDS),
};

export function usePersonPlace() {
  const [{ people, person, kind }, set] = useQueryStates(place, { history: "push" });
  return {
    ...{ people, person, kind },
    open: (project_id: string) => void set({ people: project_id, person: null, kind: null }),
    choose: (name: string) => void set({ person: name, kind: null }),
    list: (of: typeof kind) => void set({ kind: of }),
    back: () => void set(kind === null ? { person: null } : { kind: null }),
    close: () => void set({ people: null, person: null, kind: null }),
  };
}

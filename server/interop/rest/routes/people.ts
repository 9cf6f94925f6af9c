// What a person put into a project: found, listed, and erased.
import { pageAnswer } from "@/server/contract/answers/page";
import { People, PersonData, PersonErased, PersonItem } from "@/server/contract/answers/person-data";
import { DeletionBody } from "@/server/contract/deletion";
import { KernelError } from "@/server/contract/errors";
import { User } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { PERSON_KINDS, PersonKind } from "@/server/contract/person-data";
import { erasePerson } from "@/server/kernel/deletion/erase-person";
import { listPeople } from "@/server/kernel/deletion/list-people";
import { listPersonData, readPersonData } from "@/server/kernel/deletion/read-person-data";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, route } from "../route";

function personOf(params: Record<string, string>) {
  const project_id = id(params, "project_id");
  const user = User.safeParse(params.user);
  if (!user.success)
    throw new KernelError("not_found", "user: no name of a person; names have 1 to 64 characters of A-Z a-z 0-9 _ -");
  return { project_id, user: user.data };
}

function kindOf(params: Record<string, string>): PersonKind {
  const kind = PersonKind.safeParse(params.kind);
  if (!kind.success) throw new KernelError("not_found", `kind: not a kind of data; take ${PERSON_KINDS.join(", ")}`);
  return kind.data;
}

export const peopleRoutes = [
  route({
    operationId: "listPeople",
    method: "GET",
    path: "/projects/{project_id}/people",
    summary: "List who has put something into the project, by name: who launched, answered, wrote or saved here",
    answer: People,
    call: async ({ kernel, params }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listPeople(kernel, { project_id });
    },
  }),
  route({
    operationId: "readPersonData",
    method: "GET",
    path: "/projects/{project_id}/people/{user}/data",
    summary: "Count what a person put into the project, by kind, with what erasing the person does to each",
    answer: PersonData,
    call: async ({ kernel, params }) => {
      const person = personOf(params);
      await readProject(kernel, person.project_id);
      return readPersonData(kernel, person);
    },
  }),
  route({
    operationId: "listPersonData",
    method: "GET",
    path: "/projects/{project_id}/people/{user}/data/{kind}",
    summary: "List what a person put into the project, of one kind, newest first",
    query: PageQuery.strict(),
    answer: pageAnswer(PersonItem),
    call: async ({ kernel, params, query }) => {
      const person = personOf(params);
      await readProject(kernel, person.project_id);
      return listPersonData(kernel, { ...person, kind: kindOf(params), ...query });
    },
  }),
  route({
    operationId: "erasePerson",
    method: "POST",
    path: "/projects/{project_id}/people/{user}:erase",
    summary: "Erase the contents of a person's cards, delete the person's views and drafts, and replace the name",
    description:
      "As erasing each card that the person wrote. Where rows stay, a pseudonym replaces the name. `left` says what stays and why: the person's turns and agent go with the runs. The watchdog goes on while `ended_at` of the record is absent. What the person writes later is not erased.",
    body: DeletionBody,
    answer: PersonErased,
    call: ({ kernel, params, body: { user, reason } }) =>
      erasePerson(kernel, { ...personOf(params), by: `human_${user}`, reason }),
  }),
];

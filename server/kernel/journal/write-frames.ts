// Frames go in with the change they tell of: one insert, the last statement of the unit (K13).
import type pg from "pg";
import type { Frame } from "@/server/contract/frame";

export type Entry = { project_id: string; frame: Frame };

const INSERT = `
  INSERT INTO state.journal (project_id, subject, kind, entity_id, rev, frame)
  SELECT project_id, subject, kind, entity_id, rev, frame
  FROM jsonb_to_recordset($1::jsonb)
    AS f(project_id text, subject text, kind text, entity_id text, rev bigint, frame jsonb)`;

export async function writeFrames(client: pg.PoolClient, entries: Entry[]): Promise<void> {
  const rows = entries.map(({ project_id, frame }) => ({
    project_id,
    subject: `evt.${frame.kind}.${frame.id}`,
    kind: frame.kind,
    entity_id: frame.id,
    rev: frame.rev,
    frame,
  }));
  await client.query({ name: "journal_write", text: INSERT, values: [JSON.stringify(rows)] });
}

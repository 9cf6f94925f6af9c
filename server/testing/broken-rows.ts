// Rows whose key is in public.broken cannot be changed or deleted: what the watchdog does with a row that fails each time.

export async function breakRows(sql: (text: string) => Promise<unknown>): Promise<void> {
  await sql("CREATE TABLE public.broken (key text)");
  await sql(`
    CREATE FUNCTION public.refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM public.broken WHERE to_jsonb(NEW)::text LIKE '%' || CASE TG_TABLE_NAME WHEN 'due' THEN replace(key, 'inbox_', 'turn_') ELSE key END || '%') THEN
        RAISE EXCEPTION 'this row is broken' USING ERRCODE = 'XX001';
      END IF;
      RETURN NEW;
    END $$`);
  for (const table of [
    "resource.project_agents",
    "state.turn_waiting_tools",
    "state.human_requests",
    "state.pmo_batches",
    "state.due",
    "state.inbox_messages",
    "state.plan_runs",
    "state.deletions",
  ])
    await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION public.refuse_broken()`);
  await sql(`
    CREATE FUNCTION public.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM public.broken WHERE key IN (to_jsonb(OLD) ->> 'sha256', to_jsonb(OLD) ->> 'blob_id', to_jsonb(OLD) ->> 'title', to_jsonb(OLD) ->> 'subject_id')) THEN
        RAISE EXCEPTION 'this row is broken' USING ERRCODE = 'XX001';
      END IF;
      RETURN OLD;
    END $$`);
  for (const table of ["resource.artifacts", "resource.artifact_blobs", "public.projects", "state.alarm_due"])
    await sql(`CREATE TRIGGER refuse BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION public.refuse_delete()`);
  await sql("CREATE TRIGGER refuse BEFORE INSERT ON card_search FOR EACH ROW EXECUTE FUNCTION public.refuse_broken()");
}

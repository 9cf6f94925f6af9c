-- What runs write in bulk has no foreign keys any more: each asked for a row of another table again, and locked it, for every row
-- written. What they did is done once a transaction, or by the verbs (kernel/deletion, roster/purge-project), and looked for every
-- day (kernel/audit).

-- Whoever writes into a project holds it until the transaction ends: at the first row, not at each. A project is emptied only while
-- nobody holds it (purge-project), and who comes later is refused here. `switchyard.restoring` is on while a backup is read in: it
-- has rows of projects that are half deleted.
CREATE FUNCTION state.enter_project() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entered text;
BEGIN
  IF TG_ARGV[0] = 'tenant_id' THEN entered := NEW.tenant_id; ELSE entered := NEW.project_id; END IF;
  IF coalesce(current_setting('switchyard.restoring', true), '') <> 'on' THEN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('rows of ' || entered, 0));
    IF NOT EXISTS (SELECT 1 FROM public.projects p WHERE p.project_id = entered AND p.deleting_at IS NULL) THEN
      RAISE EXCEPTION 'project % not found', entered USING ERRCODE = 'SY404', DETAIL = 'It is being deleted, or was never there.';
    END IF;
  END IF;
  PERFORM set_config('switchyard.project', entered, true);
  RETURN NEW;
END $$;

-- Messages of turns that were deleted with their run: of a turn that was taken over, only the first one went.
DELETE FROM state.inbox_messages i WHERE i.message_type = 'turn' AND i.agent_turn_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state.agent_turns t WHERE t.project_id = i.project_id AND t.agent_turn_id = i.agent_turn_id);

DO $$
DECLARE
  target regclass; said record; named text; tenant text;
BEGIN
  -- Some of them are views by now, under other names.
  FOREACH named IN ARRAY ARRAY['public.cards', 'public.card_boxes', 'public.box_chunks', 'public.card_search', 'resource.project_agents',
    'state.agent_turns', 'state.agent_inbox', 'state.inbox_messages', 'state.due', 'state.turn_holders', 'state.agent_state_head', 'state.agent_state_pointers',
    'state.agent_steps', 'state.turn_waiting_tools', 'state.pmo_batches', 'state.branch_extra', 'state.alarm_due', 'state.edge_extra',
    'state.identity_extra', 'state.runs'] LOOP
    SELECT c.oid::regclass INTO target FROM pg_class c WHERE c.oid = to_regclass(named) AND c.relkind = 'r';
    CONTINUE WHEN target IS NULL;
    FOR said IN SELECT f.conname FROM pg_constraint f WHERE f.conrelid = target AND f.contype = 'f' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', target, said.conname);
    END LOOP;
    SELECT a.attname INTO STRICT tenant FROM pg_attribute a
      WHERE a.attrelid = target AND a.attname IN ('tenant_id', 'project_id') AND NOT a.attisdropped;
    EXECUTE format('CREATE TRIGGER enter_project BEFORE INSERT ON %s FOR EACH ROW
      WHEN (NEW.%I IS DISTINCT FROM current_setting(''switchyard.project'', true)) EXECUTE FUNCTION state.enter_project(%L)', target, tenant, tenant);
  END LOOP;
END $$;

-- Postgres reads the text of each check anew for each statement, of an update too: nine of them took five sixths of the time of an
-- update of one turn. Shapes of ids and lists of words are refused at the kernel's edge (server/contract), and no verb has others. What
-- several columns say together stays checked.
DO $$
DECLARE
  said record;
BEGIN
  FOR said IN
    SELECT c.conrelid::regclass AS target, c.conname FROM pg_constraint c
    WHERE c.contype = 'c' AND c.connamespace = ANY ('{public,resource,state}'::regnamespace[]) AND c.conname = ANY (ARRAY[
      'agent_turns_agent_turn_id_check', 'agent_turns_primitive_check', 'agent_turns_status_check', 'agent_turns_target_strategy_check',
      'agent_turns_depth_check', 'agent_turns_task_index_check', 'cards_card_id_check', 'card_boxes_box_id_check', 'card_boxes_kind_check',
      'project_agents_agent_id_check', 'project_agents_status_check', 'project_agents_made_action_check', 'agent_inbox_message_type_check',
      'agent_inbox_status_check', 'inbox_messages_message_type_check', 'inbox_messages_status_check', 'agent_state_head_status_check', 'agent_steps_status_check', 'turn_waiting_tools_wait_status_check',
      'edge_extra_edge_phase_check', 'edge_extra_primitive_check', 'edge_extra_recursion_depth_check', 'alarm_due_subject_kind_check',
      'pmo_batches_status_check', 'pmo_batches_tool_name_check', 'pmo_batches_closed_by_check', 'pmo_batches_max_parallel_check',
      'pmo_batches_task_count_check'])
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', said.target, said.conname);
  END LOOP;
END $$;

-- Each record and activity has a version, which grows by one with every change, and keeps the place in the feed of its
-- last event (server/events/sequence.ts). Events carry the version; those from before have none.

-- From here on nothing writes them until this is committed; then only those who count versions: 4 is what they call
-- their writing (db/pool.ts, 0018). All locks first, so that none is waited for while another is held by a writer.
lock table records, activities, events in access exclusive mode;

-- Constant defaults are kept in the catalog: no row is rewritten.
alter table records add column version int not null default 1, add column event_order xid8 not null default '0';
alter table activities add column version int not null default 1, add column event_order xid8 not null default '0';
alter table events add column version int;

-- The place in the feed of what this transaction writes: its id, with what event_clock.ahead says in another cluster
-- (0008). The body is replaced when that changes, as the default of events.tx was until now.
do $$ begin
  execute format('create function current_event_order() returns xid8 language sql stable as %L', (
    select case ahead when 0 then 'select pg_current_xact_id()'
      else format('select (pg_current_xact_id()::text::bigint + %s)::text::xid8', ahead) end from event_clock));
end $$;
alter table events alter column tx set default current_event_order();

create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') in ('rapport', 'rapport/2', 'rapport/3') then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 4 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

create trigger older_writers before insert or update or delete on activities
  for each statement execute function refuse_older_writers();

-- Records keep who created them, and events keep which workflow made the change: `created_by` of filters and `actor` of
-- events.

-- From here on nothing writes them until this is committed; then only those who write the creator: 7 is what they call
-- their writing (db/pool.ts, 0062). All locks first, so that none is waited for while another is held by a writer.
lock table records, trash, events, objects, attributes in access exclusive mode;

-- The id of a workflow, an API key or a user; null: the service itself, or not known. Nullable without a default: no row
-- is rewritten.
alter table records add column created_by uuid;
alter table trash add column created_by uuid;
-- Of the run: runs are deleted before events.
alter table events add column workflow uuid;

create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') in ('rapport', 'rapport/2', 'rapport/3', 'rapport/4', 'rapport/5', 'rapport/6') then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 7 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

-- They know no type domain: a list of values to rewrite that one of them had read before must not be taken for done.
create trigger older_writers before update or delete on value_rewrites
  for each statement execute function refuse_older_writers();

-- Organizations with records from before. A job takes the creators from the events that are kept, and deletes the row
-- when it has read them all.
create table creator_backfills (
  org int primary key references organizations (org) on delete cascade,
  -- The last event that was read, in the order of the feed.
  tx xid8 not null default '0',
  id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into creator_backfills (org)
select o.org from organizations o
where exists (select from records r where r.org = o.org) or exists (select from trash t where t.org = o.org);

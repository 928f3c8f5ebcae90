-- Owners: people, companies and deals get the attribute owner, and values may name members who have left.

-- From here on nothing writes them until this is committed; then only those who know references to members, and keep
-- what they delete in the trash (0040): 5 is what they call their writing (db/pool.ts, 0018). All locks first, so that
-- none is waited for while another is held by a writer.
lock table records, objects, attributes in share row exclusive mode;

create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') in ('rapport', 'rapport/2', 'rapport/3', 'rapport/4') then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 5 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

-- Users whom values of the organization may still name.
create table former_members (
  org int not null references organizations (org) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (org, user_id)
);

create function keep_former_member() returns trigger language plpgsql as $$
begin
  insert into former_members (org, user_id)
  -- None when the organization itself is deleted.
  select o.org, old.user_id from organizations o where o.id = old.organization_id
  on conflict do nothing;
  return null;
end $$;

create trigger former_member after delete on members for each row execute function keep_former_member();

-- An organization that has an attribute of this slug, or as many attributes as an object can have, gets none; neither do
-- copies of a move that no one may change: they become as their source is. No record has a value yet, so that index rows
-- and counters are complete as they are.
with standard as (
  select o.org, o.obj, o.index_state from objects o
  where o.type = 'standard' and o.slug in ('people', 'companies', 'deals') and o.deleted_at is null
    and not exists (select from attributes a where a.org = o.org and a.obj = o.obj and a.slug = 'owner')
    and (select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null) < 200
    and not exists (
      select from organization_moves m where m.org = o.org and m.state in ('closed', 'left', 'hidden'))),
added as (
  insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, is_standard, display_order,
                          config, index_state, search_state, counting, is_counted)
  select s.org, s.obj, uuidv7(), 'Owner', 'owner', 'reference', false, false, false, true,
         (select coalesce(max(a.display_order) + 1, 0) from attributes a where a.org = s.org and a.obj = s.obj),
         '{"target": "members"}', s.index_state, 'none',
         case when s.index_state = 'none' then 'none' else 'values' end, s.index_state = 'ready'
  from standard s returning org, obj)
update objects o set version = nextval('object_versions')
from added a where o.org = a.org and o.obj = a.obj;

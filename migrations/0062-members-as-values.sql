-- Members become a type of attributes: what was a reference with the config {"target": "members"} is of type member,
-- and every reference names an object. Values, index rows and counters are the same for both. The naming attribute of a
-- standard object is fixed, and no other is chosen there any more.

-- From here on nothing writes them until this is committed; then only those who know the type: 6 is what they call
-- their writing (db/pool.ts, 0039).
lock table records, objects, attributes in share row exclusive mode;

create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') in ('rapport', 'rapport/2', 'rapport/3', 'rapport/4', 'rapport/5') then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 6 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

-- Of most objects one: each change of a record looks for it.
drop index attributes_of_members;
create index attributes_of_members on attributes (org, obj) where type = 'member';

-- The organizations of this database; then those that are being moved and that no one may change, where the guard of
-- the move (server/cells/move/guard.ts) lets only the mover write. Source and copy become the same, whichever is read last.
do $$
declare
  is_guarded boolean;
begin
  foreach is_guarded in array array[false, true] loop
    perform set_config('rapport.mover', case when is_guarded then 'on' else '' end, true);

    with chosen as (
      select o.org from organizations o
      where is_guarded = exists (
        select from organization_moves m where m.org = o.org and m.state in ('closed', 'left', 'hidden'))),
    members as (
      update attributes a set type = 'member', config = null
      where a.type = 'reference' and a.config ? 'target' and a.org in (select org from chosen)
      returning a.org, a.obj),
    fixed as (
      update attributes a set is_naming = false
      from objects o
      where o.org = a.org and o.obj = a.obj and o.type = 'standard' and a.is_naming and a.org in (select org from chosen)
      returning a.org, a.obj),
    -- Deleted attributes that can be restored: one by one, and with their object.
    trashed as (
      update trash_attributes t set attribute = t.attribute || '{"type": "member", "config": null}'
      where t.attribute->>'type' = 'reference' and t.attribute->'config' ? 'target'
        and t.org in (select org from chosen)),
    trashed_with_objects as (
      update trash_objects t set attributes = (
        select jsonb_agg(
          case when a->>'type' = 'reference' and a->'config' ? 'target'
            then a || '{"type": "member", "config": null}' else a end
          order by place)
        from jsonb_array_elements(t.attributes) with ordinality as e (a, place))
      where t.attributes @? '$[*] ? (@.type == "reference" && exists (@.config.target))'
        and t.org in (select org from chosen))
    update objects o set version = nextval('object_versions')
    from (select org, obj from members union select org, obj from fixed) as model
    where o.org = model.org and o.obj = model.obj;
  end loop;
  perform set_config('rapport.mover', '', true);
end $$;

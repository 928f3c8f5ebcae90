-- The domain of companies gets the type domain: its values are compared, and unique, as host names. They stay as they
-- were entered; a job (server/records/rewrites) writes the compared form of each beside it, and lists those that two
-- companies have now.

-- From here on nothing writes them until this is committed; then models are read again, with the type. Processes that do
-- not know it cannot store wrong values: they write no company. The locks are those of 0066 too, which is mostly in the
-- same transaction: a stronger one later would wait for writers that wait for this one.
lock table records, trash, events, objects, attributes in access exclusive mode;

-- The organizations of this database; then those that are being moved, as in 0062.
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
    domains as (
      update attributes a set type = 'domain'
      from objects o
      where o.org = a.org and o.obj = a.obj and o.type = 'standard' and o.slug = 'companies'
        and a.slug = 'domain' and a.is_standard and a.type = 'text' and a.org in (select org from chosen)
      returning a.org, a.obj),
    rewrites as (
      insert into value_rewrites (org, obj) select d.org, d.obj from domains d
      on conflict (org, obj) do update set after = default),
    -- Deleted companies whose domains are not host names as they are compared (server/records/rewrites/store.ts): when
    -- they return, the job looks at them. Those of some weeks, and few have such a value: the others stay unmarked, since
    -- each that returns makes the job look at its object again.
    trashed as (
      update trash t set has_old_values = true
      from domains d
      where t.org = d.org and t.obj = d.obj and not t.has_old_values
        and t.data->>'domain' !~ '^(?!www\.|.*xn--)[a-z0-9-]+(\.[a-z0-9-]+)+$')
    update objects o set version = nextval('object_versions')
    from domains d
    where o.org = d.org and o.obj = d.obj;
  end loop;
  perform set_config('rapport.mover', '', true);
end $$;

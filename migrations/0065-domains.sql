-- The domain of companies gets the type domain: its values are compared, and unique, as host names. They stay as they
-- were entered; a job (server/records/rewrites) writes the compared form of each beside it, and lists those that two
-- companies have now.

-- From here on nothing writes them until this is committed; then models are read again, with the type. Processes that do
-- not know it cannot store wrong values: they write no company. The locks are those of 0066 too, which is mostly in the
-- same transaction: a stronger one later would wait for writers that wait for this one.
lock table records, trash, events, objects, attributes in access exclusive mode;

-- Deleted companies have such values too. In place of an update of all rows: the default is read where there is no value.
alter table trash drop column has_old_values;
alter table trash add column has_old_values boolean not null default true;
alter table trash alter column has_old_values set default false;

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
      on conflict (org, obj) do update set after = default)
    update objects o set version = nextval('object_versions')
    from domains d
    where o.org = d.org and o.obj = d.obj;
  end loop;
  perform set_config('rapport.mover', '', true);
end $$;

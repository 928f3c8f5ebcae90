-- People, companies and deals get the attribute owner, unless an organization has one of this slug or as many attributes
-- as an object can have. No record has a value yet, so that index rows and counters are complete as they are.
with standard as (
  select o.org, o.obj, o.index_state from objects o
  where o.type = 'standard' and o.slug in ('people', 'companies', 'deals') and o.deleted_at is null
    and not exists (select from attributes a where a.org = o.org and a.obj = o.obj and a.slug = 'owner')
    and (select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null) < 200),
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

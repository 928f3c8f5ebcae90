-- Options of select attributes that are renamed, merged or removed while records have them. From the transaction of the
-- change on, everything reads the old options as what follows them; records are rewritten in the background.
alter table objects add column renaming jsonb; -- {slug: {option: the option that follows it, or null}}; null: nothing
alter table attributes add column option_change jsonb; -- server/attributes/options/store.ts OptionChange; null: none runs
-- When the change was found committed; infinity: not yet.
alter table attributes add column option_change_at timestamptz;
create index attributes_option_change on attributes (org, attr) where option_change is not null;

-- A value, or the elements of a list, under their new options: each once, in order; null if nothing is left.
create function renamed_options(value jsonb, names jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'string' then
      case when names ? (value #>> '{}') then nullif(names -> (value #>> '{}'), 'null') else value end
    when 'array' then (
      select jsonb_agg(one.element order by one.place) from (
        select n.element, min(n.place) as place from (
          select case when names ? (e.element #>> '{}') then names -> (e.element #>> '{}') else e.element end as element, e.place
          from jsonb_array_elements(value) with ordinality as e(element, place)) as n
        where n.element <> 'null' group by n.element) as one)
    else value end
$$;

-- The data of a record with the values of these attributes under their new options. renaming: as in objects.
create function with_renamed_options(data jsonb, renaming jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(data || coalesce(
    (select jsonb_object_agg(slug, renamed_options(data -> slug, names)) from jsonb_each(renaming) as r(slug, names)
     where data ? slug), '{}'))
$$;

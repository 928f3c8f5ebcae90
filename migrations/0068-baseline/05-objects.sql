-- Objects and their attributes: the model of each organization.
create sequence object_versions;

create table objects (
  org int not null references organizations (org) on delete cascade,
  obj int generated always as identity unique,
  id uuid not null,
  type text not null check (type in ('standard', 'custom')),
  plural_name text not null,
  singular_name text not null,
  description text not null,
  slug text not null,
  is_active boolean not null default true,
  -- Never used twice, so that a statement can prove the model it was made from is the current one.
  version bigint not null default nextval('object_versions'),
  -- Slugs of inactive and deleted attributes whose values are still in records: no answer shows them.
  hidden_slugs text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- none: records are scanned. building: index rows are written with each change, and filled in for earlier records.
  index_state text not null default 'none' check (index_state in ('none', 'building', 'ready')),
  -- Set while there is work in the background: rows to fill in, or with 'none' to clear away. Transactions that began
  -- earlier may not know of it and are waited for; 'infinity' until the change that made the work is committed.
  index_since timestamptz,
  -- The last record that the filling in has seen, and how many it has; null before the first, all ones after the last.
  index_last uuid,
  index_seen bigint not null default 0,
  -- {slug: {option: the option that follows it, or null}}; null: nothing
  renaming jsonb,
  primary key (org, obj)
);
create unique index objects_id on objects (org, id);
create unique index objects_slug on objects (org, slug) where deleted_at is null;
-- What is left to remove in the background.
create index objects_deleted on objects (org, obj) where deleted_at is not null;
create index objects_index_work on objects (org, obj) where index_since is not null;

create trigger older_writers before insert or update or delete on objects
  for each statement execute function refuse_older_writers();

create table attributes (
  org int not null,
  obj int not null,
  attr int generated always as identity unique,
  id uuid not null,
  name text not null,
  slug text not null,
  type text not null,
  is_required boolean not null,
  is_unique boolean not null,
  is_list boolean not null,
  -- Part of a standard object as delivered: neither renamed nor deleted.
  is_standard boolean not null default false,
  is_active boolean not null default true,
  display_order int not null,
  config jsonb,
  target_obj int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The row stays, and its slug stays taken, until its values are removed from the records.
  deleted_at timestamptz,
  index_state text not null default 'none' check (index_state in ('none', 'building', 'ready')),
  -- Rows of index_search: for text with many different values.
  search_state text not null default 'none' check (search_state in ('none', 'building', 'ready')),
  -- What is counted: how many records have a value; or also how many have each value; or also each range of numbers.
  counting text not null default 'none' check (counting in ('none', 'presence', 'values', 'ranges')),
  -- Whether the counters may be read.
  is_counted boolean not null default false,
  -- Whether records without a value have a row in index_missing: worth it where most have one.
  keeps_missing boolean not null default false,
  -- The attribute that names the records of an object, where one was chosen. Without one: contract/record-name.ts.
  is_naming boolean not null default false,
  -- Options of select attributes that are renamed, merged or removed while records have them. From the transaction of
  -- the change on, everything reads the old options as what follows them; records are rewritten in the background.
  -- server/attributes/options/store.ts OptionChange; null: none runs
  option_change jsonb,
  -- When the change was found committed; infinity: not yet.
  option_change_at timestamptz,
  -- Attributes that are deleted or switched off or on: each record that has a value gets a version and an event in the
  -- background (server/attributes/shown-store.ts ShownChange); null: none is left to do.
  shown_change jsonb,
  -- When the change was found committed; infinity: not yet.
  shown_change_at timestamptz,
  primary key (org, attr),
  foreign key (org, obj) references objects,
  foreign key (org, target_obj) references objects
);
create unique index attributes_slug on attributes (org, obj, slug);
create unique index attributes_id on attributes (org, id);
create index attributes_deleted on attributes (org, attr) where deleted_at is not null;
create index attributes_target on attributes (org, target_obj) where target_obj is not null;
create unique index attributes_naming on attributes (org, obj) where is_naming and deleted_at is null;
-- Most objects have one: each change of a record looks for it.
create index attributes_of_members on attributes (org, obj) where type = 'member';
create index attributes_option_change on attributes (org, attr) where option_change is not null;
create index attributes_shown_change on attributes (org, attr) where shown_change is not null;

create trigger older_writers before insert or update or delete on attributes
  for each statement execute function refuse_older_writers();

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

-- Objects that were deleted: their rows are removed when their records are, what events say of them stays.
create table deleted_objects (
  org int not null references organizations (org) on delete cascade,
  obj int not null,
  id uuid not null,
  -- Who deleted it: the deletions of its records name them too.
  actor uuid,
  api_key uuid,
  primary key (org, obj)
);

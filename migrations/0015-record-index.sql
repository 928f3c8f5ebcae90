-- Index rows and counters of large objects: derived from records in the statements that write them, and never read
-- before they are complete. Which there are is written with objects and attributes, whose versions prove it.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- none: records are scanned. building: written with each change, and filled in for what was there before.
alter table objects
  add column index_state text not null default 'none' check (index_state in ('none', 'building', 'ready')),
  -- Set while there is work in the background: rows to fill in, or with 'none' to clear away. Transactions that began
  -- earlier may not know of it and are waited for; 'infinity' until the change that made the work is committed.
  add column index_since timestamptz,
  -- The last record that the filling in has seen, and how many it has; null before the first, all ones after the last.
  add column index_last uuid,
  add column index_seen bigint not null default 0;
create index objects_index_work on objects (org, obj) where index_since is not null;

alter table attributes
  add column index_state text not null default 'none' check (index_state in ('none', 'building', 'ready')),
  -- Rows of index_search: for text with many different values.
  add column search_state text not null default 'none' check (search_state in ('none', 'building', 'ready')),
  -- What is counted: how many records have a value; or also how many have each value; or also each range of numbers.
  add column counting text not null default 'none' check (counting in ('none', 'presence', 'values', 'ranges')),
  -- Whether the counters may be read.
  add column is_counted boolean not null default false,
  -- Whether records without a value have a row in index_missing: worth it where most have one.
  add column keeps_missing boolean not null default false;

-- Counted by index-only scans, which want pages that vacuum has seen: it comes after one new row in a hundred, not only
-- after deleted ones.
-- One row for each different value of a record. Text: its first 200 characters in lower case, as sorts compare it.
create table index_text (
  org int not null,
  attr int not null,
  value text collate "C" not null,
  id uuid not null,
  primary key (org, attr, value, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
create table index_number (
  org int not null,
  attr int not null,
  value numeric not null,
  id uuid not null,
  primary key (org, attr, value, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
create table index_missing (
  org int not null,
  attr int not null,
  id uuid not null,
  primary key (org, attr, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
-- The whole text in lower case, for what is in the middle or at the end of it.
create table index_search (
  org int not null,
  attr int not null,
  id uuid not null,
  value text collate "C" not null,
  primary key (org, attr, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
-- An attribute's number is unique in the whole database: other organizations' text is never a candidate.
create index index_search_value on index_search using gin (attr, value gin_trgm_ops);

-- Counters, folded from stat_changes; updated in place, several times a second, where their page has room.
-- attr 0, value '': the records of the object. value '': those with any value.
create table stat_text (
  org int not null,
  obj int not null,
  attr int not null,
  value text collate "C" not null,
  n bigint not null,
  primary key (org, obj, attr, value)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
-- Records whose number is at least `low` and below the next row's.
create table stat_number (
  org int not null,
  obj int not null,
  attr int not null,
  low numeric not null,
  n bigint not null,
  primary key (org, obj, attr, low)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
-- Records whose id is at least `low` and below the next row's: the ladder to deep offsets.
create table stat_ids (
  org int not null,
  obj int not null,
  low uuid not null,
  n bigint not null,
  primary key (org, obj, low)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
-- What is not folded into the counters yet: one row for each writing statement. attr 0: val is a record's id.
create table stat_changes (
  org int not null,
  obj int not null,
  id bigint generated always as identity,
  attrs int[] not null,
  vals text[] not null,
  ns int[] not null,
  -- Begin of the transaction that wrote it: how late folding is.
  at timestamptz not null default now(),
  primary key (org, obj, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

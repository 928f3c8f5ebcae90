-- Index rows and counters of large objects: derived from records in the statements that write them, and never read
-- before they are complete. Which there are is written with objects and attributes, whose versions prove it.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Free-text search compares texts without case, accents and apostrophes: "jose" is in "José". The rule is that of
-- contract/search-text.ts. Apostrophes are removed after Unicode has taken letters apart as well: ŉ is an apostrophe
-- and n. Plain ASCII, which most texts are, takes the short branch.
create function search_fold(value text) returns text immutable parallel safe language sql return
  case when octet_length(value) = char_length(value)
    then translate(lower(value collate "pg_unicode_fast"), '''`', '')
    else replace(replace(replace(replace(
      translate(
        regexp_replace(
          lower(regexp_replace(normalize(translate(value, '''‘’ʼ`´', ''), NFKD), '[\u0300-\u036f''ʼ`]', '', 'g')
            collate "pg_unicode_fast"),
          '[\u0300-\u036f]', '', 'g'),
        'øđðłıħŧς', 'oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end;

-- Index rows are counted by index-only scans, which want pages that vacuum has seen: it comes after one new row in a
-- hundred, not only after deleted ones. n_distinct: as in 06-records.sql. New trigrams wait in a list: the worker sorts
-- them in every second or more often (server/query-engine). Only if it does not come for long, a writing statement does
-- it, and waits for it.

-- One row for each different value of a record. Text: its first 200 characters in lower case, as sorts compare it.
create table index_text (
  org int not null,
  attr int not null,
  value text collate "C" not null,
  id uuid not null,
  -- Texts are searched here, where the row holds them whole. Longer ones (whose key has all the characters that a key may
  -- have) are in index_search.
  searched boolean not null default false,
  primary key (org, attr, value, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table index_text alter org set (n_distinct = 1), alter attr set (n_distinct = 100);
create index index_text_searched on index_text using gin (attr, value gin_trgm_ops)
  with (gin_pending_list_limit = 16384) where searched;
-- Rows whose text folds to itself are found by the trigrams they have already; only the others need more.
create index index_text_folded on index_text using gin (attr, search_fold(value) gin_trgm_ops)
  with (gin_pending_list_limit = 16384) where searched and search_fold(value) <> value;

create table index_number (
  org int not null,
  attr int not null,
  value numeric not null,
  id uuid not null,
  primary key (org, attr, value, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table index_number alter org set (n_distinct = 1), alter attr set (n_distinct = 100);

create table index_missing (
  org int not null,
  attr int not null,
  id uuid not null,
  primary key (org, attr, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table index_missing alter org set (n_distinct = 1), alter attr set (n_distinct = 100);

-- The whole text in lower case, for what is in the middle or at the end of it.
create table index_search (
  org int not null,
  attr int not null,
  id uuid not null,
  value text collate "C" not null,
  primary key (org, attr, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table index_search alter org set (n_distinct = 1), alter attr set (n_distinct = 100);
-- An attribute's number is unique in the whole database: other organizations' text is never a candidate.
create index index_search_value on index_search using gin (attr, value gin_trgm_ops)
  with (gin_pending_list_limit = 16384);
create index index_search_folded on index_search using gin (attr, search_fold(value) gin_trgm_ops)
  with (gin_pending_list_limit = 16384) where search_fold(value) <> value;

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

-- Records whose number is at least `low` and below the next row's. attr -1: records by when they were changed last, in
-- whole seconds since 1970, so that a far offset in that order is found.
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

-- What is not folded into the counters yet: one row for each writing statement. attr 0: val is a record's id. attr -1:
-- when it was changed last.
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
-- Folding, which takes changes away.
create trigger older_writers before delete on stat_changes
  for each statement execute function refuse_older_writers();

-- The record store: one row and one event per record written, everything else derived from them.
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
  primary key (org, obj)
);
create unique index objects_id on objects (org, id);
create unique index objects_slug on objects (org, slug) where deleted_at is null;

-- What is left to remove in the background.
create index objects_deleted on objects (org, obj) where deleted_at is not null;

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
  -- The row stays, and its slug stays taken, until the values are gone from the records.
  deleted_at timestamptz,
  primary key (org, attr),
  foreign key (org, obj) references objects,
  foreign key (org, target_obj) references objects
);
create unique index attributes_slug on attributes (org, obj, slug);
create unique index attributes_id on attributes (org, id);
create index attributes_deleted on attributes (org, attr) where deleted_at is not null;
create index attributes_target on attributes (org, target_obj) where target_obj is not null;

create table records (
  org int not null,
  obj int not null,
  -- UUIDv7: its time is the record's createdAt, so the primary key serves that sort.
  id uuid not null,
  -- Grows by at least a microsecond with every change, so that it also tells versions apart (ETag).
  updated_at timestamptz not null,
  data jsonb not null,
  -- What filters compare where it cannot be computed from data in SQL: phone numbers as E.164, by slug.
  comparable jsonb,
  primary key (org, obj, id)
);
create index records_updated on records (org, obj, updated_at, id);

-- Every reference value: attr → target. Activities use the negative numbers of activities/store.ts.
create table links (
  org int not null,
  attr int not null,
  target uuid not null,
  id uuid not null,
  primary key (org, attr, target, id)
);
-- Normalized values of unique attributes: the primary key is what makes uniqueness safe under concurrency.
create table uniques (
  org int not null,
  attr int not null,
  value text collate "C" not null,
  id uuid not null,
  primary key (org, attr, value)
);
create index uniques_record on uniques (org, id, attr);

create table activities (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  title text not null,
  summary text not null,
  activity_date timestamptz not null,
  linked_records jsonb not null,
  participants jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null,
  primary key (org, id)
);
create index activities_date on activities (org, activity_date, id);

-- One row per change, written in its transaction: outbox, history and change log in one.
-- Partitioned by the day in the UUIDv7, so that old days are dropped whole.
create table events (
  org int not null,
  id uuid not null,
  type text not null,
  -- The object of a record event.
  obj int,
  -- The record, activity or run that changed.
  subject uuid not null,
  actor uuid,
  api_key uuid,
  -- The whole record or activity after the change; the last state on delete.
  data jsonb not null,
  -- {slug: {from, to}} of a record's update.
  changes jsonb,
  primary key (org, id)
) partition by range (id);
create index events_subject on events (org, subject, id);
-- Takes what no day's partition covers, so that a write never fails for want of one.
create table events_other partition of events default;

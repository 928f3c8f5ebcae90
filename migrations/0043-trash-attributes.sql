-- Deleted attributes, kept until they are restored or purged. Their values are taken out of the records, so that the slug
-- is free, and kept here.
create table trash_attributes (
  org int not null,
  obj int not null,
  attr int not null,
  id uuid not null,
  -- Its row.
  attribute jsonb not null,
  -- `-infinity`: it is being purged.
  deleted_at timestamptz not null default clock_timestamp(),
  deleted_by uuid,
  -- Whether it is restored: then values return to the records, in the name of who restored it.
  is_restored boolean not null default false,
  restored_by uuid,
  api_key uuid,
  primary key (org, attr)
);

create table trash_values (
  org int not null,
  attr int not null,
  -- The record.
  id uuid not null,
  -- As in records.data and records.comparable.
  value jsonb not null,
  comparable jsonb,
  -- Its unique values.
  uniques text[] not null,
  primary key (org, attr, id)
);

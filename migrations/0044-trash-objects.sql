-- Deleted objects, kept with their attributes until they are restored or purged. Their records are in the trash.
create table trash_objects (
  org int not null,
  obj int not null,
  id uuid not null,
  -- Its row, and those of its attributes.
  object jsonb not null,
  attributes jsonb not null,
  -- Records that went to the trash since belong to it. `-infinity`: it is being purged.
  deleted_at timestamptz not null default clock_timestamp(),
  deleted_by uuid,
  -- Whether it is restored: then its records return, in the name of who restored it.
  is_restored boolean not null default false,
  restored_by uuid,
  api_key uuid,
  primary key (org, obj)
);

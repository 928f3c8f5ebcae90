-- The saved views of a deleted object, which return with it.
alter table trash_objects add column views jsonb not null default '[]';

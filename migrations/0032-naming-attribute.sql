-- The attribute that names the records of an object, where one was chosen. Without one: contract/record-name.ts.
alter table attributes add column is_naming boolean not null default false;

create unique index attributes_naming on attributes (org, obj) where is_naming and deleted_at is null;

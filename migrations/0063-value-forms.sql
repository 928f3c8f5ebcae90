-- Objects with records from before texts were stored in NFC, single-line values without spaces around them, and phone
-- numbers compared with their extension. A job rewrites such values, and deletes the row when it has seen all records.
create table value_rewrites (
  org int not null,
  obj int not null,
  -- The last record that was seen.
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (org, obj),
  foreign key (org, obj) references objects on delete cascade
);
insert into value_rewrites (org, obj) select org, obj from objects;

-- Whether values in the trash may be from before, too: then their object gets a row again when they return.
alter table trash add column has_old_values boolean not null default true;
alter table trash alter column has_old_values set default false;
alter table trash_attributes add column has_old_values boolean not null default true;
alter table trash_attributes alter column has_old_values set default false;

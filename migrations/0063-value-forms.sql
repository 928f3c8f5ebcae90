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

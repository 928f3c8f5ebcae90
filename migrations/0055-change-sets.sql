-- Events of bulk writes and imports that are undone together, for a day: a row for each statement that wrote some.
create table change_set_batches (
  org int not null references organizations (org) on delete cascade,
  change_set uuid not null,
  -- In the order of the statements, with their time.
  id uuid not null default uuidv7(),
  obj int not null,
  events uuid[] not null,
  primary key (org, change_set, id)
);

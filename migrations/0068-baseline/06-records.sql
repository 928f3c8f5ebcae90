-- The record store: one row and one event per record written, everything else derived from them.
create table records (
  org int not null,
  obj int not null,
  -- UUIDv7: its time is the record's createdAt, so the primary key serves that sort.
  id uuid not null,
  -- Grows by at least a microsecond with every change.
  updated_at timestamptz not null,
  data jsonb not null,
  -- What filters compare where it cannot be computed from data in SQL: phone numbers as E.164, by slug.
  comparable jsonb,
  -- Grows by one with every change.
  version int not null default 1,
  -- The place in the feed of its last event (server/events/sequence.ts).
  event_order xid8 not null default '0',
  -- The id of a workflow, an API key or a user; null: the service itself, or not known.
  created_by uuid,
  primary key (org, obj, id)
) with (
  -- A tenth of each page is left for what its records become: their new versions stay with their neighbors, on a page
  -- that is written anyway. Over 100,000 changes of 100,000 records 3 % went to another page instead of 22 %, for 9 %
  -- less log; by then the table was as large as a full one had become. (None is HOT: updated_at is indexed.)
  fillfactor = 90,
  -- Deep offsets walk indexes of records without reading a record, where vacuum has seen its page: with a tenth of them
  -- changed since, the walk by changes took three to four times as long. Vacuum comes after one in twenty, not in five.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
create index records_updated on records (org, obj, updated_at, id);

-- A plan that is to serve every object is made with averages: PostgreSQL multiplies how few records an organization has
-- by how few an object has, and takes each for one of some rows. Then every index that begins with the two looks as
-- good as the right one: a record was looked up by reading all of its object in records_updated. The number of an
-- object or an attribute implies its organization; and a plan for a large one serves small ones too, not the other way
-- round, so each is taken for a hundredth of the table where nothing else is known.
alter table records alter org set (n_distinct = 1), alter obj set (n_distinct = 100);

create trigger older_writers before insert or update or delete on records
  for each statement execute function refuse_older_writers();

-- Every reference value: attr → target. Activities use the negative numbers of activities/store.ts.
create table links (
  org int not null,
  attr int not null,
  target uuid not null,
  id uuid not null,
  primary key (org, attr, target, id)
) with (
  -- Counted by index-only scans, as index rows are (07-record-index.sql).
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02
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

-- Objects with values that are not in the form that the present rules give them. A job (server/records/rewrites) writes
-- such values again, and deletes the row when it has seen all records.
create table value_rewrites (
  org int not null,
  obj int not null,
  -- The last record that was seen.
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (org, obj),
  foreign key (org, obj) references objects on delete cascade
);
-- An older process would take a list that it has read before for done.
create trigger older_writers before update or delete on value_rewrites
  for each statement execute function refuse_older_writers();

-- Organizations with records whose creator was not kept. A job takes the creators from the events that are kept, and
-- deletes the row when it has read them all.
create table creator_backfills (
  org int primary key references organizations (org) on delete cascade,
  -- The last event that was read, in the order of the feed.
  tx xid8 not null default '0',
  id uuid not null default '00000000-0000-0000-0000-000000000000'
);

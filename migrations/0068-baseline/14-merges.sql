-- What each merge of records changed, for as long as it can be undone.
create table merges (
  org int not null,
  id uuid not null,
  obj int not null,
  winner uuid not null,
  losers uuid[] not null,
  -- Values of the winner that changed, as [{attr, slug, before, after}]; without one that was or is empty.
  "values" jsonb not null,
  merged_at timestamptz not null default clock_timestamp(),
  actor uuid,
  api_key uuid,
  primary key (org, id)
);
create index merges_winner on merges (org, obj, winner, merged_at);
create index merges_oldest on merges (org, merged_at);

-- What referred to the losers, or belonged to them.
create table merge_changes (
  org int not null,
  merge uuid not null,
  kind text not null check (kind in ('reference', 'activity', 'file', 'picture', 'comment', 'reminder')),
  -- Of a reference, else 0.
  attr int not null default 0,
  -- The record that refers, the activity, the attachment, or the file of a picture.
  id uuid not null,
  -- The value of the reference; the links and people of an activity; the record of a file.
  before jsonb,
  after jsonb,
  primary key (org, merge, kind, attr, id)
);

-- Which record the id of a merged one answers as, after it was deleted from the trash for good. Until then trash has it.
create table merged_records (
  org int not null,
  obj int not null,
  id uuid not null,
  winner uuid not null,
  primary key (org, obj, id)
);
-- The merged records of a winner, whose history is shown with its own.
create index merged_records_winner on merged_records (org, obj, winner);

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
create index trash_merged on trash (org, obj, merged_into) where merged_into is not null;

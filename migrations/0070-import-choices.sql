-- What an import does with rows that match records: how many matched, how many were left out, and the first of these.
alter table imports
  add column matched int not null default 0,
  add column skipped int not null default 0,
  -- {line, recordId} for each of the first.
  add column skips jsonb not null default '[]';

-- The record that one in the trash was merged into: its id answers as that record.
alter table trash add column merged_into uuid;

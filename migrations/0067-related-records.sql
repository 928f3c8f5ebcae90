-- Imports create records that their cells name, and keep that they were undone.

-- Records of other objects that the check would create, or the run has created: {objectId, created, names} for each.
alter table imports add column related jsonb not null default '[]';
alter table imports add column undone_at timestamptz;

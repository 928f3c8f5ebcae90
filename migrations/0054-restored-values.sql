-- The event whose change this one took back: its earlier values were restored.
alter table events add column restores uuid;

-- Deep offsets walk indexes of records without coming to a record, where vacuum has seen its page: with a tenth of them
-- changed since, the walk by changes took three to four times as long. After one in twenty it comes now, not in five.
alter table records set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

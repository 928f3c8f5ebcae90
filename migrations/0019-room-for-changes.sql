-- A tenth of each page is left for what its records become: their new versions stay beside their neighbours, on a page
-- that is written anyway. Over 100,000 changes of 100,000 records 3 % went to another page instead of 22 %, for 9 % less
-- log; by then the table was as large as a full one had become. (None is HOT: updated_at is indexed.)
alter table records set (fillfactor = 90, autovacuum_analyze_scale_factor = 0.05);
-- Counted by index-only scans, as index rows are (0015).
alter table links set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_insert_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);

-- A plan that is to serve every object is made with averages: PostgreSQL multiplies how few records an organization has
-- by how few an object has, and takes each for one of some rows. Then every index that begins with the two looks as
-- good as the right one: a record was looked up by going through records_updated, all of its object for each. The
-- number of an object or an attribute stands for its organization as well; and a plan for a large one serves small
-- ones too, not the other way round, so each is taken for a hundredth of the table where nothing else is known.
alter table records alter org set (n_distinct = 1), alter obj set (n_distinct = 100);
alter table index_text alter org set (n_distinct = 1), alter attr set (n_distinct = 100);
alter table index_number alter org set (n_distinct = 1), alter attr set (n_distinct = 100);
alter table index_missing alter org set (n_distinct = 1), alter attr set (n_distinct = 100);
alter table index_search alter org set (n_distinct = 1), alter attr set (n_distinct = 100);

-- ANALYZE reads it; index rows are built anew after 0016.
do $$ begin
  if exists (select from records) then analyze records; end if;
end $$;

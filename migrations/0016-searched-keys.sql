-- Texts are searched in their index rows, where those hold them whole: most texts are stored once less. Longer ones
-- (whose key has all the characters a key may have) stay in index_search.
alter table index_text add column searched boolean not null default false;
create index index_text_searched on index_text using gin (attr, value gin_trgm_ops) where searched;

-- What there is was written otherwise: given up here, and built anew in the background.
truncate index_text, index_number, index_missing, index_search, stat_text, stat_number, stat_ids, stat_changes;
update attributes
set index_state = 'none', search_state = 'none', counting = 'none', is_counted = false, keeps_missing = false
where index_state <> 'none' or search_state <> 'none' or counting <> 'none';
update objects
set index_state = 'none', index_since = null, index_last = null, index_seen = 0, version = nextval('object_versions')
where index_state <> 'none' or index_since is not null;

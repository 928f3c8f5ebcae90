-- New trigrams wait in a list: the worker sorts them in every second or more often (records/index/background/
-- sorting-in.ts). Only where it does not come for long, whoever writes does it, and waits for it.
alter index index_text_searched set (gin_pending_list_limit = 16384);
alter index index_search_value set (gin_pending_list_limit = 16384);

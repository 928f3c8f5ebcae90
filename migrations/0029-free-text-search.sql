-- Free-text search compares texts without case, accents and apostrophes: "jose" is in "José". The rule is that of
-- contract/search-text.ts. Plain ASCII, which most texts are, takes the short branch.
create function search_fold(value text) returns text immutable parallel safe language sql return
  case when octet_length(value) = char_length(value)
    then translate(lower(value collate "pg_unicode_fast"), '''`', '')
    else replace(replace(replace(replace(
      translate(
        regexp_replace(
          lower(regexp_replace(normalize(translate(value, '''‘’ʼ`´', ''), NFKD), '[\u0300-\u036f]', '', 'g')
            collate "pg_unicode_fast"),
          '[\u0300-\u036f]', '', 'g'),
        'øđðłıħŧς', 'oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end;

-- Index rows whose text folds to itself are found by the trigrams they have already; only the others need more.
create index index_text_folded on index_text using gin (attr, search_fold(value) gin_trgm_ops)
  where searched and search_fold(value) <> value;
create index index_search_folded on index_search using gin (attr, search_fold(value) gin_trgm_ops)
  where search_fold(value) <> value;
alter index index_text_folded set (gin_pending_list_limit = 16384);
alter index index_search_folded set (gin_pending_list_limit = 16384);

-- Apostrophes are removed after Unicode has taken letters apart as well: ŉ is an apostrophe and n, and wide forms become
-- plain ones. The rule is that of contract/search-text.ts.
create or replace function search_fold(value text) returns text immutable parallel safe language sql return
  case when octet_length(value) = char_length(value)
    then translate(lower(value collate "pg_unicode_fast"), '''`', '')
    else replace(replace(replace(replace(
      translate(
        regexp_replace(
          lower(regexp_replace(normalize(translate(value, '''‘’ʼ`´', ''), NFKD), '[\u0300-\u036f''ʼ`]', '', 'g')
            collate "pg_unicode_fast"),
          '[\u0300-\u036f]', '', 'g'),
        'øđðłıħŧς', 'oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end;

-- Texts that are folded otherwise now are in these indexes as they were folded before.
reindex index index_text_folded;
reindex index index_search_folded;

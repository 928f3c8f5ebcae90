// Finds records that may match given values: all records of a small object, or the records that the index rows of a
// large object return. Not all of them match; compared.ts decides.
import { domainToUnicode } from 'node:url'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { textNaming } from '../../contract/record-name.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { recordOf } from '../model/objects/record-lookup.ts'
import type { Compared, RecordValues } from './compared.ts'
import type { Rule } from './rules.ts'

export type DuplicateCandidate = RecordValues & { id: string }

/** Maximum number of records that are read if the index of the object is not complete: the last created. */
const SCANNED_MAX = 5000
/** Maximum number of candidates by one rule, for each given value. */
const FOUND_MAX = 50
const COLLEAGUES_MAX = 2000
/** Shorter than the keys of index rows. */
const NAME_CHARACTERS = 190
/** Lower than the threshold of similarity, because index rows contain names with punctuation and legal forms. */
const TRIGRAM_THRESHOLD = '0.45'
/** The highest character in PostgreSQL: ends a range of texts with the same beginning. */
const LAST = '\u{10FFFF}'

const slugsOf = (rules: readonly Rule[]) => [
  ...new Set(rules.flatMap(({ attributeSlugs }) => attributeSlugs)),
]

/** Columns `data` and `comparable` of the record `r`, with the values that the rules compare. */
export const comparedColumns = (rules: readonly Rule[]): Sql => {
  const values = slugsOf(rules).map((slug) => sql`${slug}::text, r.data->${slug}::text`)
  return sql`jsonb_build_object(${join(values)}) as data, r.comparable`
}

/** The records among which candidates are searched. */
export interface CandidateScope {
  model: ObjectModel
  /** The highest record id that counts; undefined for all records. */
  until?: string | undefined
}

const upTo = ({ until }: CandidateScope, id: Sql): Sql =>
  until === undefined ? empty : sql`and ${id} <= ${until}::uuid`

const scanned = (scope: CandidateScope, rules: readonly Rule[]) => sql`
  select r.id, ${comparedColumns(rules)} from records r
  where r.org = ${scope.model.org} and r.obj = ${scope.model.obj} ${upTo(scope, sql`r.id`)}
  order by r.id desc limit ${SCANNED_MAX}`

/** Ids from index rows `t` of the attribute. The condition may use `value` of a row of `asked`. */
const rowsOf = (scope: CandidateScope, { attribute }: Rule, condition: Sql) => sql`
  (select t.id from index_text t
   where t.org = ${scope.model.org} and t.attr = ${attribute.attr} and ${condition} ${upTo(scope, sql`t.id`)}
   limit ${FOUND_MAX})`

const asked = (texts: readonly string[], ids: Sql) => sql`
  select k.id from unnest(${[...new Set(texts)]}::text[]) as a(value) cross join lateral ${ids} as k`

const value = sql`a.value collate "C"`

/** Prefixes of a host in addresses and domains. */
const ADDRESSES = ['', 'www.', 'http://', 'https://', 'http://www.', 'https://www.']

function byHost(scope: CandidateScope, rule: Rule, hosts: readonly string[]): Sql {
  const written = hosts.flatMap((host) => [host, domainToUnicode(host)])
  const starts = written.flatMap((host) => ADDRESSES.map((start) => start + host))
  const pages = sql`t.value >= ${value} || '/' and t.value < ${value} || '0'`
  return sql`
    ${asked(starts, rowsOf(scope, rule, sql`t.value = ${value}`))} union
    ${asked(starts, rowsOf(scope, rule, pages))}`
}

function bySimilarName(scope: CandidateScope, rule: Rule, names: readonly string[]): Sql {
  const begins = sql`t.value >= ${value} and t.value < ${value} || ${LAST}::text`
  const beginning = asked(names, rowsOf(scope, rule, begins))
  // Names with few different values have no trigram search.
  if (scope.model.index?.attributes.get(rule.attribute.slug)?.search !== 'ready') return beginning
  return sql`${beginning} union ${asked(names, rowsOf(scope, rule, sql`t.searched and t.value % ${value}`))}`
}

const colleagues = (scope: CandidateScope, attr: number, companies: readonly string[]) => sql`
  select k.id from unnest(${[...new Set(companies)]}::uuid[]) as a(value) cross join lateral (
    select l.id from links l
    where l.org = ${scope.model.org} and l.attr = ${attr} and l.target = a.value ${upTo(scope, sql`l.id`)}
    limit ${COLLEAGUES_MAX}) as k`

/** `names` are in the form of index rows: lower case, with punctuation. */
function byName(scope: CandidateScope, rule: Rule, { compared, names }: Asked): Sql {
  if (!rule.company) return bySimilarName(scope, rule, names)
  const companies = compared.flatMap(({ company }) => company ?? [])
  return sql`
    ${asked(names, rowsOf(scope, rule, sql`t.value = ${value}`))} union
    ${colleagues(scope, rule.company.attr, companies)}`
}

interface Asked {
  compared: readonly Compared[]
  names: readonly string[]
}

function idsBy(scope: CandidateScope, rule: Rule, { compared, names }: Asked): Sql[] {
  const keys = compared.flatMap((one) => one.keys)
  if (rule.kind === 'similar_name')
    return names.length === 0 ? [] : [byName(scope, rule, { compared, names })]
  if (keys.length === 0) return []
  if (rule.kind === 'same_domain') return [byHost(scope, rule, keys)]
  return [
    asked(
      keys.map((key) => key.toLowerCase()),
      rowsOf(scope, rule, sql`t.value = ${value}`),
    ),
  ]
}

const isReady = ({ index }: ObjectModel, { attribute }: Rule): boolean =>
  index?.attributes.get(attribute.slug)?.state === 'ready'

export interface CandidateSearch {
  values: RecordValues
  /** One entry per rule, in the order of the rules. */
  compared: readonly Compared[]
}

const lowerNames = (rule: Rule, inputs: readonly CandidateSearch[]): string[] =>
  rule.kind === 'similar_name' ? inputs.flatMap(({ values }) => nameTexts(rule, values)) : []

function nameTexts({ attribute }: Rule, { data }: RecordValues): string[] {
  const text = textNaming(data[attribute.slug]).toLowerCase()
  return text === '' ? [] : [text.slice(0, NAME_CHARACTERS)]
}

/** @returns records that may match one of the inputs */
export async function findCandidates(
  db: Db,
  scope: CandidateScope,
  rules: readonly Rule[],
  inputs: readonly CandidateSearch[],
): Promise<DuplicateCandidate[]> {
  const { model } = scope
  if (!rules.every((rule) => isReady(model, rule))) return db.many<DuplicateCandidate>(scanned(scope, rules))
  const ids = rules.flatMap((rule, place) =>
    idsBy(scope, rule, {
      compared: inputs.flatMap(({ compared }) => compared[place] ?? []),
      names: lowerNames(rule, inputs),
    }),
  )
  if (ids.length === 0) return []
  return db.transaction(async (tx) => {
    await tx.run(sql`select set_config('pg_trgm.similarity_threshold', ${TRIGRAM_THRESHOLD}, true)`)
    return tx.many<DuplicateCandidate>(sql`
      select r.id, ${comparedColumns(rules)} from (${join(ids, ' union ')}) as i ${recordOf(model, sql`i.id`)}`)
  })
}

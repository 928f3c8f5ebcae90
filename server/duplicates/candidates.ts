// Records that may match given values: all of a small object, and of a large one those that its index rows give. Some of
// them do not match; compared.ts decides.
import { domainToUnicode } from 'node:url'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { textNaming } from '../../contract/record-name.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { recordOf } from '../model/objects/record-lookup.ts'
import type { Compared, RecordValues } from './compared.ts'
import type { Rule } from './rules.ts'

export type DuplicateCandidate = RecordValues & { id: string }

/** Records that are read of an object whose index is not complete: those that were created last. */
const SCANNED_MAX = 5000
/** Candidates by one rule, for each value asked about. */
const FOUND_MAX = 50
const COLLEAGUES_MAX = 2000
/** Less than the keys of index rows have. */
const NAME_CHARACTERS = 190
/** Less than what counts as similar, since index rows have names with punctuation and legal forms. */
const TRIGRAM_THRESHOLD = '0.45'
/** The highest character that PostgreSQL takes: ends a range of texts with the same beginning. */
const LAST = '\u{10FFFF}'

const slugsOf = (rules: readonly Rule[]) => [
  ...new Set(rules.flatMap(({ attributeSlugs }) => attributeSlugs)),
]

/** Columns `data` and `comparable` of the record `r`, with what the rules compare. */
export const comparedColumns = (rules: readonly Rule[]): Sql => {
  const values = slugsOf(rules).map((slug) => sql`${slug}::text, r.data->${slug}::text`)
  return sql`jsonb_build_object(${join(values)}) as data, r.comparable`
}

/** Where candidates are looked for. */
export interface CandidateScope {
  model: ObjectModel
  /** The last record by id that counts; all do without it. */
  until?: string | undefined
}

const upTo = ({ until }: CandidateScope, id: Sql): Sql =>
  until === undefined ? empty : sql`and ${id} <= ${until}::uuid`

const scanned = (scope: CandidateScope, rules: readonly Rule[]) => sql`
  select r.id, ${comparedColumns(rules)} from records r
  where r.org = ${scope.model.org} and r.obj = ${scope.model.obj} ${upTo(scope, sql`r.id`)}
  order by r.id desc limit ${SCANNED_MAX}`

/** Of index rows `t` of the attribute; `value`: of a row of `asked`. */
const rowsOf = (scope: CandidateScope, { attribute }: Rule, condition: Sql) => sql`
  (select t.id from index_text t
   where t.org = ${scope.model.org} and t.attr = ${attribute.attr} and ${condition} ${upTo(scope, sql`t.id`)}
   limit ${FOUND_MAX})`

const asked = (texts: readonly string[], ids: Sql) => sql`
  select k.id from unnest(${[...new Set(texts)]}::text[]) as a(value) cross join lateral ${ids} as k`

const value = sql`a.value collate "C"`

/** How addresses and domains with a host are written. */
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
  // Where names have few different values, they are not searched by trigrams.
  if (scope.model.index?.attributes.get(rule.attribute.slug)?.search !== 'ready') return beginning
  return sql`${beginning} union ${asked(names, rowsOf(scope, rule, sql`t.searched and t.value % ${value}`))}`
}

const colleagues = (scope: CandidateScope, attr: number, companies: readonly string[]) => sql`
  select k.id from unnest(${[...new Set(companies)]}::uuid[]) as a(value) cross join lateral (
    select l.id from links l
    where l.org = ${scope.model.org} and l.attr = ${attr} and l.target = a.value ${upTo(scope, sql`l.id`)}
    limit ${COLLEAGUES_MAX}) as k`

/** Names as index rows have them: in lower case, with their punctuation. */
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
  /** By each rule, in their order. */
  compared: readonly Compared[]
}

const lowerNames = (rule: Rule, inputs: readonly CandidateSearch[]): string[] =>
  rule.kind === 'similar_name' ? inputs.flatMap(({ values }) => nameTexts(rule, values)) : []

function nameTexts({ attribute }: Rule, { data }: RecordValues): string[] {
  const text = textNaming(data[attribute.slug]).toLowerCase()
  return text === '' ? [] : [text.slice(0, NAME_CHARACTERS)]
}

/** @returns records of which some may match one of the inputs */
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

// Statements about the options of select attributes, and about records that still contain old options.
import sql from 'sql-template-tag'
import type { OptionChange } from '../../contract/attribute-options.ts'
import type { SelectConfig } from '../../contract/attributes.ts'
import type { Author } from '../base/caller.ts'
import type { JsonValue } from '../base/json.ts'
import type { Db } from '../db/pool.ts'
import { type ObjectModel, type OptionNames, StaleModel } from '../model/attributes/models.ts'
import { isHere } from '../placement/placement.ts'
import { elements, storedValue } from '../records/filters/comparable.ts'
import { isCurrent } from '../records/rows/stored-record.ts'

/** A change whose records are being rewritten, from attributes.option_change. */
export interface RunningChange {
  org: number
  obj: number
  attr: number
  objectId: string
  slug: string
  isUnique: boolean
  change: { names: OptionNames; userId: string | null; keyId: string | null; changeSet?: string | null }
}

interface OptionPlace {
  org: number
  obj: number
  slug: string
}

const holds = (slug: string, options: readonly string[]) => sql`r.data->${slug}::text ?| ${options}::text[]`

/** Number of records per option, by their stored values. Omits options that no record has. */
export const countOptionUses = (tx: Db, { org, obj, slug }: OptionPlace, options: readonly string[]) =>
  tx.many<{ option: string; records: number }>(sql`
    select option, count(*) as records
    from records r, unnest(${options}::text[]) as option
    where r.org = ${org} and r.obj = ${obj} and ${holds(slug, options)} and r.data->${slug}::text ? option
    group by option order by option`)

/** Number of records with one of the options, by their stored values. */
export const countHolders = (tx: Db, { org, obj, slug }: OptionPlace, options: readonly string[]) =>
  tx.value<number>(sql`
    select count(*) from records r where r.org = ${org} and r.obj = ${obj} and ${holds(slug, options)}`)

/** Number of records per value, by the values that reads return. */
export async function countValues(db: Db, model: ObjectModel, slug: string, isList: boolean) {
  const { org, obj } = model
  const stored = storedValue({ type: 'select', slug, renaming: model.renaming?.[slug] })
  const value = isList ? sql`element #>> '{}'` : sql`${stored} #>> '{}'`
  const source = isList ? sql`records r, ${elements(stored)}` : sql`records r`
  const rows = await db.many<{ value: string | null; records: number | null; fresh: boolean }>(sql`
    select state.fresh, found.* from (select ${isCurrent(model)} as fresh) as state left join (
      select ${value} as value, count(*) as records from ${source}
      where r.org = ${org} and r.obj = ${obj} group by 1) as found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return new Map(rows.map((row) => [row.value, row.records ?? 0]))
}

export const findChange = (db: Db, org: number, attr: number) =>
  db.maybeOne<OptionChange>(sql`
    select (option_change->>'total')::int as total, (option_change->>'changed')::int as changed,
      option_change->>'startedAt' as "startedAt"
    from attributes where org = ${org} and attr = ${attr} and option_change is not null`)

interface ChangedConfig {
  attr: number
  config: SelectConfig
  /** null for no default. */
  defaultValue: JsonValue
}

export const updateConfig = (tx: Db, org: number, { attr, config, defaultValue }: ChangedConfig) =>
  tx.run(sql`
    update attributes set config = ${JSON.stringify(config)}::jsonb,
      default_value = nullif(${JSON.stringify(defaultValue)}::jsonb, 'null'),
      updated_at = greatest(now(), updated_at + interval '1 microsecond')
    where org = ${org} and attr = ${attr}`)

/** After the commit, all reads replace the old options by the new ones. */
export const insertChange = (
  tx: Db,
  { org, userId, keyId, changeSet }: Author,
  {
    obj,
    attr,
    slug,
    names,
    total,
  }: Omit<OptionPlace, 'org'> & { attr: number; names: OptionNames; total: number },
) =>
  tx.run(sql`
    with started as (
      update attributes set option_change_at = 'infinity', option_change = jsonb_build_object(
        'names', ${JSON.stringify(names)}::jsonb, 'total', ${total}::int, 'changed', 0, 'startedAt',
        to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'userId', ${userId}::uuid, 'keyId', ${keyId}::uuid,
        'changeSet', ${changeSet ?? null}::uuid)
      where org = ${org} and attr = ${attr}),
    moved as (
      update uniques u set value = n.value from jsonb_each_text(${JSON.stringify(names)}::jsonb) as n(key, value)
      where u.org = ${org} and u.attr = ${attr} and u.value = n.key and n.value is not null)
    update objects set renaming = coalesce(renaming, '{}') || jsonb_build_object(${slug}::text, ${JSON.stringify(names)}::jsonb)
    where org = ${org} and obj = ${obj}`)

/** The changes of all organizations whose records are being rewritten. */
export const selectRunning = (db: Db, attr?: number) =>
  db.many<RunningChange>(sql`
    select a.org, a.obj, a.attr, o.id as "objectId", a.slug, a.is_unique as "isUnique", a.option_change as change
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.option_change is not null and a.deleted_at is null and o.deleted_at is null
      and (${attr ?? null}::int is null or a.attr = ${attr ?? null}::int) and ${isHere(sql`o.org`)}
    order by a.attr`)

type ChangeRef = Pick<RunningChange, 'org' | 'attr'>

/** Stores the time at which the change is known to be committed: all later transactions see it. */
export const sealChange = (db: Db, { org, attr }: ChangeRef) =>
  db.run(sql`
    update attributes set option_change_at = clock_timestamp()
    where org = ${org} and attr = ${attr} and option_change_at = 'infinity'`)

export const sealedAt = ({ org, attr }: ChangeRef) =>
  sql`(select option_change_at from attributes where org = ${org} and attr = ${attr})`

/** A second worker waits. @returns whether the change is still running */
export const lockChange = async (tx: Db, { org, attr }: ChangeRef): Promise<boolean> =>
  (await tx.run(sql`
    select from attributes where org = ${org} and attr = ${attr} and option_change is not null for no key update`)) >
  0

/** Locks the first records after `after` that contain an old option. @throws StaleModel */
export async function lockOptionHolders(
  tx: Db,
  model: ObjectModel,
  { slug, options, after, limit }: { slug: string; options: readonly string[]; after: string; limit: number },
): Promise<{ id: string; value: JsonValue }[]> {
  const { org, obj } = model
  const rows = await tx.many<{ id: string | null; value: JsonValue; fresh: boolean }>(sql`
    with found as materialized (
      select r.id, r.data->${slug}::text as value from records r
      where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid and ${holds(slug, options)}
      order by r.id limit ${limit} for no key update)
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return rows.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]))
}

export const countChanged = (tx: Db, { org, attr }: ChangeRef, changed: number) =>
  tx.run(sql`
    update attributes set option_change = jsonb_set(option_change, '{changed}',
      to_jsonb((option_change->>'changed')::int + ${changed}::int))
    where org = ${org} and attr = ${attr}`)

/** Ends the change: no record contains an old option any more, so reads no longer replace options. */
export const endChange = (tx: Db, { org, obj, attr, slug }: RunningChange) =>
  tx.run(sql`
    with ended as (
      update attributes set option_change = null, option_change_at = null where org = ${org} and attr = ${attr})
    update objects set renaming = nullif(renaming - ${slug}::text, '{}') where org = ${org} and obj = ${obj}`)

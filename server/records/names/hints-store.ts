// Reads values that distinguish records of the same name, as text.
import sql, { join, type Sql } from 'sql-template-tag'
import { identifies } from '../../../contract/identifying.ts'
import type { Db } from '../../db/pool.ts'
import { type ModelAttribute, type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { isCurrent, visibleData } from '../rows/stored-record.ts'

type IsOf = (attribute: ModelAttribute) => boolean

/** The first attribute of each kind is shown. */
const SHOWN: readonly IsOf[] = [
  ({ type }) => type === 'reference',
  identifies,
  ({ type }) => type === 'select',
  ({ type }) => type === 'currency',
]
/** If a record has no value of SHOWN, its first value of these kinds is shown. */
const OTHERWISE: readonly IsOf[] = [
  ({ type }) => type === 'phone_number',
  ({ type }) => type === 'text',
  ({ type }) => type === 'date',
  ({ type }) => type === 'number',
]
const SHOWN_MAX = 3

interface Chosen {
  shown: ModelAttribute[]
  otherwise: ModelAttribute[]
}

function chosenAttributes(model: ObjectModel): Chosen {
  const all = [...model.attributes.values()].filter(({ isNaming, isList }) => !isNaming && !isList)
  const firstOf = (kinds: readonly IsOf[]) => kinds.flatMap((isOf) => all.find(isOf) ?? [])
  return { shown: firstOf(SHOWN), otherwise: firstOf(OTHERWISE) }
}

/** Amounts with their currency first: "EUR 12500.5". */
const textOf = ({ type, slug }: ModelAttribute): Sql =>
  type === 'currency'
    ? sql`nullif(concat_ws(' ', v.data->${slug}::text->>'currency', v.data->${slug}::text->>'amount'), '')`
    : sql`nullif(v.data->>${slug}::text, '')`

export interface HintValue {
  attribute: ModelAttribute
  text: string
}

const present = (attributes: readonly ModelAttribute[], texts: readonly (string | null)[]): HintValue[] =>
  attributes.flatMap((attribute, place) => {
    const text = texts[place]
    return text ? [{ attribute, text }] : []
  })

function valuesOf({ shown, otherwise }: Chosen, texts: readonly (string | null)[]): HintValue[] {
  const values = present(shown, texts).slice(0, SHOWN_MAX)
  return values.length > 0 ? values : present(otherwise, texts.slice(shown.length)).slice(0, 1)
}

/** @returns values by record id, for the records that exist @throws StaleModel */
export async function selectHintValues(
  db: Db,
  model: ObjectModel,
  ids: readonly string[],
): Promise<Map<string, HintValue[]>> {
  const chosen = chosenAttributes(model)
  const texts = [...chosen.shown, ...chosen.otherwise].map(textOf)
  const rows = await db.many<{ id: string | null; texts: (string | null)[]; fresh: boolean }>(sql`
    select found.id, found.texts, state.fresh
    from (select ${isCurrent(model)} as fresh) as state left join (
      select r.id, array[${join([sql`null`, ...texts])}]::text[] as texts
      from ${recordsByIds(model, sql`${ids}::uuid[]`)}
      cross join lateral (select ${visibleData(model)} as data) as v) as found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return new Map(
    rows.flatMap(({ id, texts: found }): [string, HintValue[]][] =>
      id === null ? [] : [[id, valuesOf(chosen, found.slice(1))]],
    ),
  )
}

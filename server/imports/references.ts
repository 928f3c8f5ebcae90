// Cells of reference columns that name a record, in place of its id.
import { isUuid } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import { trimmed } from '../../contract/single-line.ts'
import type { Caller } from '../base/caller.ts'
import { isStorable } from '../http/storable.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { getObject } from '../model/objects/store.ts'
import type { Column } from '../records/import/columns.ts'
import type { ImportContext } from './context.ts'
import { lookUp } from './lookup.ts'
import { type CreateMissing, createNamed } from './missing-records.ts'
import { CREATE_FIRST } from './words.ts'

type Data = Record<string, unknown>

/** By text: the id of the record or the problem; null if only rows that fail contain the text. */
type Found = Map<string, string | Problem | null>

const refusal = ({ slug }: ModelAttribute, message: string): Problem => ({
  path: `data.${slug}`,
  code: 'invalid_reference',
  message,
})

const SHOWN_CHARACTERS = 100
const shown = (text: string) => text.slice(0, SHOWN_CHARACTERS).toWellFormed()

type ReferenceColumn = Pick<Column, 'attribute' | 'onProblem'> & Partial<Pick<Column, 'part'>>

/** The texts to look up. An id needs no look-up, unless the column has values of one attribute. */
export const textsIn = (value: unknown, { part }: ReferenceColumn): string[] =>
  [value]
    .flat()
    .filter((one): one is string => typeof one === 'string' && (part !== undefined || !isUuid(trimmed(one))))

interface Finding {
  ctx: ImportContext
  caller: Caller
  column: ReferenceColumn
  create: CreateMissing | undefined
}

interface Texts {
  all: readonly string[]
  /** The texts of rows that are not known to fail: records are created only for these texts. */
  wanted: ReadonlySet<string>
}

/** The result for texts that name no record: the created record, if the column creates records, or the problem. */
async function missingOf(
  { ctx, caller, column, create }: Finding,
  target: ObjectModel,
  { all, wanted }: Texts,
): Promise<Found> {
  if (all.length === 0) return new Map()
  const isCreated = column.onProblem === 'create' && create !== undefined
  const created = isCreated
    ? await createNamed(
        { caller, target, create, by: column.part },
        all.filter((text) => wanted.has(text)),
      )
    : undefined
  const { singularName } = await getObject(ctx.db, caller.org, target.id)
  return new Map(
    all.map((text) => {
      if (isCreated && !wanted.has(text)) return [text, null]
      const { id, reason } = created?.get(text) ?? {}
      const none =
        column.part === undefined
          ? `no ${singularName.toLowerCase()} is called "${shown(text)}"`
          : `no ${singularName.toLowerCase()} has "${shown(text)}" as ${column.part}`
      const advice =
        reason === undefined
          ? CREATE_FIRST
          : `, and the import cannot create one (${reason}): correct the name`
      return [text, id ?? refusal(column.attribute, none + advice)]
    }),
  )
}

async function findTargets(finding: Finding, { all, wanted }: Texts): Promise<Found> {
  const { ctx, caller, column } = finding
  const { config } = column.attribute
  const good = all.filter(isStorable)
  if (!config || !('allowed_object_id' in config) || good.length === 0) return new Map()
  const { target, named } = await lookUp(ctx, caller, config.allowed_object_id, {
    texts: good,
    by: column.part,
  })
  const ids = Map.groupBy(named, ({ text }) => text)
  const several = (text: string) =>
    refusal(column.attribute, `several ${target.slug} match "${shown(text)}": use an id or a unique value`)
  const found = [...ids].map(([text, records]): [string, string | Problem] => {
    const [id = '', another] = new Set(records.map((record) => record.id))
    return [text, another === undefined ? id : several(text)]
  })
  const missing = good.filter((text) => !ids.has(text))
  return new Map([...found, ...(await missingOf(finding, target, { all: missing, wanted }))])
}

function replaced(value: unknown, found: Found): unknown {
  if (Array.isArray(value)) return value.map((element) => replaced(element, found))
  return typeof value === 'string' ? (found.get(value) ?? value) : value
}

const problemsIn = (value: unknown, column: ReferenceColumn, found: Found): Problem[] =>
  textsIn(value, column).flatMap((text) => {
    const one = found.get(text)
    return typeof one === 'object' && one !== null ? [one] : []
  })

interface ReferringRow {
  data: Data
  /** It fails for reasons other than its references. */
  isBad?: boolean
}

/** A row with ids instead of names. Names of no record are left out of its data and are among its problems. */
export type Resolved<Row> = Row & { problems: Problem[] }

function resolvedRow<Row extends ReferringRow>(
  row: Resolved<Row>,
  column: ReferenceColumn,
  found: Found,
): Resolved<Row> {
  const { slug } = column.attribute
  const { [slug]: value, ...others } = row.data
  if (value === undefined) return row
  const problems = problemsIn(value, column, found)
  const isLeftOut = textsIn(value, column).some((text) => found.get(text) === null)
  if (problems.length > 0 || isLeftOut) {
    const isBad = row.isBad === true || (problems.length > 0 && column.onProblem !== 'skip')
    return { ...row, data: others, problems: [...row.problems, ...problems], isBad }
  }
  return { ...row, data: { ...row.data, [slug]: replaced(value, found) } }
}

interface Resolving {
  columns: readonly ReferenceColumn[]
  /** Undefined: a name that no record has is a problem of its row. */
  create?: CreateMissing | undefined
}

/** Columns that create records come last: no record is created for a row with another invalid reference. */
const inOrder = (columns: readonly ReferenceColumn[]): ReferenceColumn[] => {
  const references = columns.filter(({ attribute }) => attribute.type === 'reference')
  const creates = ({ onProblem }: ReferenceColumn) => Number(onProblem === 'create')
  return references.toSorted((a, b) => creates(a) - creates(b))
}

/** Replaces names by ids. */
export async function resolveReferences<Row extends ReferringRow>(
  ctx: ImportContext,
  caller: Caller,
  { columns, create }: Resolving,
  rows: readonly Row[],
): Promise<Resolved<Row>[]> {
  let resolved: Resolved<Row>[] = rows.map((row) => ({ ...row, problems: [] }))
  for (const column of inOrder(columns)) {
    const { slug } = column.attribute
    const texts = (some: readonly Row[]) => new Set(some.flatMap(({ data }) => textsIn(data[slug], column)))
    const all = texts(rows)
    if (all.size === 0) continue
    const wanted = texts(resolved.filter(({ isBad = false }) => !isBad))
    const found = await findTargets({ ctx, caller, column, create }, { all: [...all], wanted })
    resolved = resolved.map((row) => resolvedRow(row, column, found))
  }
  return resolved
}

/** The problems by index of the row, as the bulk write takes them. */
export const problemsByPlace = (
  rows: readonly Pick<Resolved<object>, 'problems'>[],
): Map<number, readonly Problem[]> =>
  new Map(rows.flatMap(({ problems }, place) => (problems.length > 0 ? [[place, problems] as const] : [])))

// Compares lines of JSON with the records that existed when the job was created.
import type { SkippedRow } from '../../contract/imports.ts'
import { isObject } from '../base/json.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { chooseRows } from '../imports/existing.ts'
import { withReferences } from '../records/write/references.ts'
import { choiceOf, type ImportBatch, type Item } from './items.ts'

interface Compared {
  items: Item[]
  skipped: SkippedRow[]
}

/** The row of a line. The id of the line counts only if lines are matched on it. */
function rowOf(item: Item, matchOn: string | undefined) {
  const { id, data, ...rest } = item.row
  if (!isObject(data)) return undefined
  const ownId = matchOn === 'id' && typeof id === 'string' ? { id } : {}
  return { item, rest, data, ...ownId, needed: [], isBad: false }
}

/** Lines that match a record get its id or are skipped, depending on the job. */
export async function compareLines({ ctx, tx, job }: ImportBatch, items: readonly Item[]): Promise<Compared> {
  const choice = choiceOf(job)
  if (choice === undefined) return { items: [...items], skipped: [] }
  const { caller, settings, untilId } = job
  const { matchOn, createMissing } = settings
  const within = { ...ctx, db: tx }
  const rows = items.flatMap((item) => rowOf(item, matchOn) ?? [])
  const compared = new Set(rows.map(({ item }) => item))
  const chosen = await withCurrentModel(within, job.org, job.objectId, (model) =>
    chooseRows(
      {
        ...{ ctx: within, caller, model, columns: [], choice, until: untilId ?? undefined },
        matched: model.attributes.get(matchOn ?? ''),
        localeOf: async (data) =>
          (await withReferences(within, caller, { model, createMissing }, data)).locale,
      },
      rows,
    ),
  )
  const written = chosen.rows.map(({ item, rest, id, data, needed }) => ({
    line: item.line,
    row: { ...rest, ...(id !== undefined && { id }), data },
    problems: [...needed],
  }))
  const others = items.filter((item) => !compared.has(item))
  return {
    items: [...written, ...others].toSorted((a, b) => a.line - b.line),
    skipped: chosen.skipped.map(({ row, recordId }) => ({ line: row.item.line, recordId })),
  }
}

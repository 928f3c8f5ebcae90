// Clears or fills many cells of the table in one change set, which can be undone.
import { counted } from '../../../../contract/counted.ts'
import { RECORD_SET_MAX } from '../../../../contract/limits.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import type { CellChange } from '../../../shared/records/change-cells.ts'
import { filledFrom } from '../../../shared/table/pasted-block.ts'
import type { CellRange, RowRange } from '../../../shared/table/table-context.ts'
import { toast, toastError } from '../../../shared/toast.ts'
import { useChangeSet } from '../selection/use-change-set.ts'
import type { Rows } from './use-rows.ts'

const attributesOf = ({ columns }: Pick<CellRange, 'columns'>): Attribute[] =>
  columns.flatMap(({ attribute }) => attribute ?? [])

const clearing = (records: readonly CrmRecord[], attributes: readonly Attribute[]): CellChange[] =>
  records.flatMap((record) => attributes.map((attribute) => ({ record, attribute, to: null })))

interface Filling extends RowRange {
  /** The records from the first to the last row of both ranges. */
  records: readonly CrmRecord[]
  first: number
  from: RowRange
}

function filling(
  { records, first, from, top, bottom }: Filling,
  attributes: readonly Attribute[],
): CellChange[] {
  const changes: CellChange[] = []
  for (let row = top; row <= bottom; row++) {
    const [record, source] = [records[row - first], records[filledFrom(from, row) - first]]
    if (!record || !source) continue
    for (const attribute of attributes)
      changes.push({ record, attribute, to: source.data[attribute.slug] ?? null })
  }
  return changes
}

/** Why a range cannot be changed; undefined when it can. */
export function refusal({ isActive }: ObjectWithAttributes, attributes: readonly Attribute[], count: number) {
  if (!isActive) return 'This object is inactive: its records are read-only'
  if (attributes.length === 0) return 'The time of a change cannot be edited'
  if (count > RECORD_SET_MAX) return `Select at most ${counted(RECORD_SET_MAX, 'row')}`
  return undefined
}

export function useBlockEdits(object: ObjectWithAttributes, rows: Rows) {
  const write = useChangeSet(object)
  const run = async (
    { top, bottom, columns }: CellRange,
    changesOf: (records: readonly CrmRecord[], attributes: readonly Attribute[]) => CellChange[],
    done: string,
  ): Promise<void> => {
    const attributes = attributesOf({ columns })
    const reason = refusal(object, attributes, bottom - top + 1)
    if (reason !== undefined) {
      toast(reason)
      return
    }
    try {
      await write({ changes: changesOf(await rows.load(top, bottom), attributes), done })
    } catch (error) {
      toastError(error)
    }
  }
  return {
    clear: (range: CellRange) => void run(range, clearing, 'cleared'),
    fill: (from: CellRange, into: RowRange) => {
      const first = Math.min(from.top, into.top)
      const whole = { top: first, bottom: Math.max(from.bottom, into.bottom), columns: from.columns }
      const changesOf: Parameters<typeof run>[1] = (records, attributes) =>
        filling({ records, first, from, ...into }, attributes)
      void run(whole, changesOf, 'filled')
    },
  }
}

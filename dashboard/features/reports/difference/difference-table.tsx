// The rows of two runs compared: which were added, removed or changed, and by how much.
import { Button, Text } from '@mantine/core'
import { CircleMinus, CirclePlus, Equal, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { ResultColumn } from '../../../../contract/reports.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { type StateWords, ToneChip } from '../../../ui/tone-chip.tsx'
import { isNumeric, labelOf, textOf } from '../chart/readings.ts'
import classes from '../chart/rows.module.css'
import { deltaWords } from './delta-words.ts'
import { type Difference, type RowDifference, sizeOf } from './difference.ts'

const KINDS: Readonly<Record<RowDifference['kind'], StateWords>> = {
  added: { word: 'Added', tone: 'good', icon: CirclePlus },
  removed: { word: 'Removed', tone: 'danger', icon: CircleMinus },
  changed: { word: 'Changed', tone: 'info', icon: PencilLine },
  same: { word: 'The same', tone: 'muted', icon: Equal },
}

const ROWS_AT_ONCE = 200

function Compared({ row, column }: { row: RowDifference; column: ResultColumn }) {
  const change = row.changes[column.key]
  const value = (row.after ?? row.before)?.[column.key]
  if (!change) return <span className="muted">{textOf(column, value)}</span>
  const [from, to] = [textOf(column, change.from), textOf(column, change.to)]
  const isWhole = row.kind !== 'changed'
  return (
    <>
      {isWhole ? (
        row.kind === 'removed' ? (
          <del className="muted">{from}</del>
        ) : (
          to || from
        )
      ) : (
        <>
          <span className="muted">{from || 'nothing'}</span>
          <Text span inherit c="dimmed" mx={6} role="img" aria-label="became">
            →
          </Text>
          <span>{to || 'nothing'}</span>
        </>
      )}
      {!isWhole && change.delta !== undefined && (
        <div className="muted tiny">{deltaWords(column, change)}</div>
      )}
    </>
  )
}

/** The label of a group in a column. */
function keyLabel(row: RowDifference, column: ResultColumn): string {
  return labelOf(column, (row.after ?? row.before)?.[column.key])
}

function Kind({ kind }: Pick<RowDifference, 'kind'>) {
  const word = (
    <Text span inherit visibleFrom="xs">
      {KINDS[kind].word}
    </Text>
  )
  return <ToneChip {...KINDS[kind]} word={word} />
}

const columnsOf = ({ keys, compared }: Difference): Columns<RowDifference> => [
  {
    title: 'Row',
    cellProps: ({ kind }) => ({ 'aria-label': KINDS[kind].word, style: { width: 1 } }),
    cell: ({ kind }) => <Kind kind={kind} />,
  },
  ...keys.map((column, index) => ({
    id: column.key,
    title: column.label,
    kind: index === 0 ? ('name' as const) : undefined,
    cell: (row: RowDifference) => keyLabel(row, column),
  })),
  ...compared.map((column) => ({
    id: column.key,
    title: column.label,
    kind: isNumeric(column) ? ('number' as const) : undefined,
    sortBy: (row: RowDifference) => sizeOf(row, column.key),
    sortHint: 'Largest change first',
    cell: (row: RowDifference) => <Compared row={row} column={column} />,
  })),
]

/** The first column whose numbers have changed. */
const firstChanged = ({ compared, rows }: Difference): string | undefined =>
  compared.find(({ key }) => rows.some(({ changes }) => changes[key]?.delta !== undefined))?.key ??
  compared[0]?.key

/** @param onlyChanges hides unchanged rows */
export function DifferenceTable({
  difference,
  onlyChanges,
}: {
  difference: Difference
  onlyChanges: boolean
}) {
  const [chosen, setChosen] = useState<string>()
  const [shown, setShown] = useState(ROWS_AT_ONCE)
  const sortedBy = chosen ?? firstChanged(difference)
  const rows = difference.rows.filter(({ kind }) => !onlyChanges || kind !== 'same')
  if (rows.length === 0) return null
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={classes.box} tabIndex={0} aria-label="Rows that differ">
        <DataTable
          look={classes.table}
          columns={columnsOf(difference)}
          rows={rows}
          limit={shown}
          sort={{ by: sortedBy, onChange: setChosen }}
        />
      </section>
      {rows.length > shown && (
        <Button variant="default" mr="auto" onClick={() => setShown(shown + 5 * ROWS_AT_ONCE)}>
          Show more of {counted(rows.length, 'row')}
        </Button>
      )}
    </>
  )
}

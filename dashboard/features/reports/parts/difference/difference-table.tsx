// The rows of two runs beside each other: what came, what went, and what grew by how much.
import { Button, Text } from '@mantine/core'
import { ArrowDown, CircleMinus, CirclePlus, Equal, type LucideIcon, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import type { ResultColumn } from '../../../../../contract/reports.ts'
import { type Tone, ToneChip } from '../../../../ui/tone-chip.tsx'
import { isNumeric, labelOf, textOf } from '../chart/readings.ts'
import classes from '../chart/rows.module.css'
import { deltaWords } from './delta-words.ts'
import { bySize, type Difference, type RowDifference } from './difference.ts'

const KINDS: Readonly<Record<RowDifference['kind'], { word: string; tone: Tone; icon: LucideIcon }>> = {
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

/** A group without an amount does not say its currency elsewhere. */
function keyLabel(row: RowDifference, column: ResultColumn): string {
  return labelOf(column, (row.after ?? row.before)?.[column.key])
}

function Row({ row, difference: { keys, compared } }: { row: RowDifference; difference: Difference }) {
  const { word, tone, icon } = KINDS[row.kind]
  return (
    <tr data-kind={row.kind}>
      <td style={{ width: 1 }} aria-label={word}>
        <ToneChip tone={tone} icon={icon}>
          <Text span inherit visibleFrom="xs">
            {word}
          </Text>
        </ToneChip>
      </td>
      {keys.map((column, index) =>
        index === 0 ? (
          <th key={column.key} scope="row">
            {keyLabel(row, column)}
          </th>
        ) : (
          <td key={column.key}>{keyLabel(row, column)}</td>
        ),
      )}
      {compared.map((column) => (
        <td key={column.key} data-numeric={isNumeric(column) || undefined}>
          <Compared row={row} column={column} />
        </td>
      ))}
    </tr>
  )
}

interface HeadProps {
  difference: Difference
  sortedBy: string | undefined
  onSort(key: string): void
}

function Head({ difference: { keys, compared }, sortedBy, onSort }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">Row</th>
        {keys.map(({ key, label }) => (
          <th key={key} scope="col">
            {label}
          </th>
        ))}
        {compared.map((column) => (
          <th
            key={column.key}
            scope="col"
            data-numeric={isNumeric(column) || undefined}
            aria-sort={column.key === sortedBy ? 'descending' : undefined}
          >
            <button
              type="button"
              className="inline gap-4"
              title="Largest change first"
              onClick={() => onSort(column.key)}
            >
              {column.key === sortedBy && <ArrowDown size={12} aria-hidden />}
              {column.label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The first numbers that differ at all. */
const firstChanged = ({ compared, rows }: Difference): string | undefined =>
  compared.find(({ key }) => rows.some(({ changes }) => changes[key]?.delta !== undefined))?.key ??
  compared[0]?.key

/** @param onlyChanges without the rows that stayed the same */
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
  const wanted = difference.rows.filter(({ kind }) => !onlyChanges || kind !== 'same')
  const rows = sortedBy === undefined ? wanted : bySize(wanted, sortedBy)
  if (rows.length === 0) return null
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={classes.box} tabIndex={0} aria-label="Rows that differ">
        <table className={classes.table}>
          <Head difference={difference} sortedBy={sortedBy} onSort={setChosen} />
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of results have no identity but their place
              <Row key={index} row={row} difference={difference} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <Button variant="default" mr="auto" onClick={() => setShown(shown + 5 * ROWS_AT_ONCE)}>
          Show more of {counted(rows.length, 'row')}
        </Button>
      )}
    </>
  )
}

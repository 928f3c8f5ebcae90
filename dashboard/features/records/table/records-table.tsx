// The table of a view: loads rows when they become visible, and shows empty and error states.
import { Box, Button, Skeleton } from '@mantine/core'
import { Filter } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { EmptyState, ErrorState } from '../../../shared/state.tsx'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { Grid } from '../../../shared/table/grid.tsx'
import { pagesOf } from '../../../shared/table/row-window.ts'
import { useTable } from '../../../shared/table/table-context.ts'
import classes from '../page/records.module.css'
import { PAGE_SIZE } from '../view/search-body.ts'
import type { Rows } from './use-rows.ts'

/** The visible pages. The array stays the same while the pages are the same. */
export function usePagesInSight() {
  const [pages, setPages] = useState<readonly number[]>([0])
  const onSight = useCallback((first: number, end: number) => {
    const next = pagesOf(first, end, PAGE_SIZE)
    setPages((before) => (before.join() === next.join() ? before : next))
  }, [])
  return [pages, onSight] as const
}

interface RecordsTableProps {
  label: string
  columns: readonly TableColumn[]
  rows: Rows
  /** Shown below the name column. */
  foot: ReactNode
  onSight(first: number, end: number): void
  /** Shown instead of rows when there are no records. */
  empty: ReactNode
  /** Clears filter and search; undefined when there is neither. */
  onClear: (() => void) | undefined
}

function LoadingRows({ rowHeight }: { rowHeight: number }) {
  return (
    <Box
      className="rest divided"
      px={16}
      pt={36}
      style={{ overflow: 'hidden' }}
      role="status"
      aria-label="Loading records"
    >
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
        <div key={row} className="row" style={{ height: rowHeight }}>
          <Skeleton height={10} width={`${30 + ((row * 17) % 40)}%`} />
        </div>
      ))}
    </Box>
  )
}

/** @param isAll whether all records were searched */
function NothingFound({ isAll, onClear }: { isAll: boolean; onClear(): void }) {
  return (
    <EmptyState
      icon={Filter}
      title={isAll ? 'No matching records' : 'No matches among the newest records'}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filter and search
        </Button>
      }
    >
      {isAll
        ? 'No record matches the filter and the search of this view.'
        : 'Older records may match: they were not searched.'}
    </EmptyState>
  )
}

/** Content shown instead of the table; undefined if there are rows. */
function useInstead({ rows, empty, onClear }: RecordsTableProps): ReactNode {
  const { total, error, isStale, searched } = rows
  const { rowHeight } = useTable()
  if (error !== undefined && (total === undefined || isStale))
    return (
      <div className="rest scroll">
        <ErrorState error={error} onRetry={rows.retry} />
      </div>
    )
  if (total === undefined) return <LoadingRows rowHeight={rowHeight} />
  if (total > 0) return undefined
  return (
    <div className="rest scroll">
      {onClear ? <NothingFound isAll={searched === undefined} onClear={onClear} /> : empty}
    </div>
  )
}

/** During editing of a cell, the table stays even if others delete its rows, so that typed text is not lost. */
export function RecordsTable(props: RecordsTableProps) {
  const { label, columns, rows, foot, onSight } = props
  const [isEditing, setEditing] = useState(false)
  const instead = useInstead(props)
  // Without rows, the foot is at the same place, so that nothing moves when rows appear.
  if (instead !== undefined && !isEditing)
    return (
      <>
        {instead}
        <footer className={classes.footer}>{foot}</footer>
      </>
    )
  return (
    <Grid
      {...{ label, columns, foot, onSight }}
      total={rows.total ?? 0}
      at={rows.at}
      isStale={rows.isStale}
      set={rows.shown}
      onEditing={setEditing}
    />
  )
}

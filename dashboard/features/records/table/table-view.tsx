// The table of a view, with its notes, bars and dialogs.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { EmptyState } from '../../../shared/state.tsx'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { TableProvider } from '../../../shared/table/table-context.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { later, Nothing } from '../../../ui/later.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { importPaths } from '../../import/paths.ts'
import { rememberRecords } from '../api/record-neighbours.ts'
import { type Selection, useSelection } from '../selection/use-selection.ts'
import { PAGE_SIZE, recordSetOf } from '../view/search-body.ts'
import { type ShownView, useGoTo } from '../view/use-view.ts'
import { ColumnMenu } from './column-menu.tsx'
import { RecordCount } from './record-count.tsx'
import { RecordsTable, usePagesInSight } from './records-table.tsx'
import { RenameAttribute } from './rename-attribute.tsx'
import { SearchedNote } from './searched-note.tsx'
import { useBlockEdits } from './use-block-edits.ts'
import { usePaste } from './use-paste.tsx'
import { type Rows, useRows } from './use-rows.ts'
import { useSummaries } from './use-summaries.tsx'
import { useColumns, useTableOf } from './use-table.ts'

const SelectionBar = later(async () => (await import('../selection/selection-bar.tsx')).SelectionBar, Nothing)

interface TableViewProps {
  object: ObjectWithAttributes
  view: ShownView
  onFilter(attribute: Attribute): void
}

function NoRecords({ object }: { object: ObjectWithAttributes }) {
  const org = useOrg()
  const goTo = useGoTo()
  const many = object.pluralName.toLowerCase()
  const actions = (
    <Button.Group>
      <Button
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => void goTo({ search: (previous) => ({ ...previous, create: 1 as const }) })}
      >
        Create {object.singularName.toLowerCase()}
      </Button>
      <Button variant="default" component={Link} to={importPaths.import(org, object.slug)}>
        Import CSV
      </Button>
    </Button.Group>
  )
  return (
    <EmptyState icon={objectIcon(object.slug)} title={`No ${many} yet`} action={object.isActive && actions}>
      Create the first one, or import many from a file.
    </EmptyState>
  )
}

function useSetOf({ state }: ShownView) {
  const set = recordSetOf(state)
  const key = JSON.stringify(set)
  // The state also changes with columns and widths. Only changes of filter, search or sort create another set.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that the set says
  return useMemo(() => set, [key])
}

/** Remembers the list, so that the record page can link to the previous and next record. */
function useRemembered(object: ObjectWithAttributes, rows: Rows, pages: readonly number[]) {
  const org = useOrg()
  const { total, loadedPages, shown } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pages in sight, or other rows, mean another list
  useEffect(() => {
    if (total === undefined) return
    const ids: (string | undefined)[] = new Array(total)
    for (const [page, records] of loadedPages())
      for (const [at, { id }] of records.entries()) ids[page * PAGE_SIZE + at] = id
    rememberRecords(org, object.slug, { ids, total })
  }, [org, object.slug, total, pages, shown, rows.updatedAt])
}

/** The table with its menus. */
function useTableParts({ object, view, onFilter }: TableViewProps, rows: Rows, selection: Selection) {
  const [renamed, setRenamed] = useState<Attribute>()
  const { all, visible } = useColumns(object, view)
  const menu = {
    columns: all,
    sort: view.state.sort,
    change: view.change,
    onFilter,
    onRename: setRenamed,
  }
  const menuOf = (column: TableColumn) => <ColumnMenu {...menu} column={column} />
  const { paste, dialog } = usePaste(object, rows, visible)
  const edits = { ...useBlockEdits(object, rows), paste }
  const summaries = useSummaries(object, { view, rows, all })
  const table = useTableOf(object, view, { all, selection, edits, menuOf, summaries })
  return { table, visible, dialog, renamed, setRenamed }
}

export function TableView(props: TableViewProps) {
  const { object, view } = props
  const [pages, onSight] = usePagesInSight()
  const rows = useRows(object.slug, useSetOf(view), pages)
  const selection = useSelection(rows)
  useRemembered(object, rows, pages)
  useShortcuts([['Escape', selection.clear]])
  const { table, visible, dialog, renamed, setRenamed } = useTableParts(props, rows, selection)
  const isNarrowed = view.state.filter !== null || view.state.search !== ''
  return (
    <TableProvider value={table}>
      <SearchedNote object={object} rows={rows} />
      <RecordsTable
        label={object.pluralName}
        columns={visible}
        rows={rows}
        foot={<RecordCount object={object} rows={rows} />}
        onSight={onSight}
        empty={<NoRecords object={object} />}
        onClear={isNarrowed ? () => view.change({ filter: null, search: '' }) : undefined}
      />
      {selection.ids.size > 0 && (
        <SelectionBar object={object} rows={rows} selection={selection} columns={visible} />
      )}
      {dialog}
      {renamed && <RenameAttribute attribute={renamed} onClose={() => setRenamed(undefined)} />}
    </TableProvider>
  )
}

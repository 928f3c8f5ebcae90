// The records of an object, as a table or a board.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { objectQuery } from '../../api/objects.ts'
import { useOrg } from '../../components/use-organization.ts'
import { Page } from '../../ui/page.tsx'
import { ColumnMenu } from './column-menu.tsx'
import classes from './records.module.css'
import { RecordsTable, usePagesInSight } from './records-table.tsx'
import { recordSetOf } from './search-body.ts'
import { useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'
import { useColumns, useTableOf } from './use-table.ts'
import { type ShownView, useView } from './use-view.ts'

function TableOf({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  const { state } = view
  const set = useMemo(() => recordSetOf(object.attributes, state), [object.attributes, state])
  const [pages, onSight] = usePagesInSight()
  const rows = useRows(object.slug, set, pages)
  const selection = useSelection(rows)
  const { all, visible } = useColumns(object, view)
  const table = useTableOf(object, view, {
    all,
    selection,
    menuOf: (column) => (
      <ColumnMenu
        column={column}
        columns={all}
        sort={state.sort}
        change={view.change}
        onFilter={() => {}}
        onRename={() => {}}
      />
    ),
  })
  const isNarrowed = state.filter !== null || state.search !== ''
  return (
    <>
      <RecordsTable
        label={object.pluralName}
        table={table}
        columns={visible}
        rows={rows}
        onSight={onSight}
        empty={<p>Nothing yet</p>}
        onClear={isNarrowed ? () => view.change({ filter: null, search: '' }) : undefined}
      />
      <footer className={classes.footer}>{rows.total} records</footer>
    </>
  )
}

function RecordsOf({ object }: { object: ObjectWithAttributes }) {
  const view = useView(object)
  return (
    <Page title={object.pluralName} width="full">
      <TableOf object={object} view={view} />
    </Page>
  )
}

export function RecordsPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/' })
  const { data: object } = useSuspenseQuery(objectQuery(useOrg(), slug))
  return (
    <Suspense>
      <RecordsOf key={object.id} object={object} />
    </Suspense>
  )
}

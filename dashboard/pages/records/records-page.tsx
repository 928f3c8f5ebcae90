// The records of an object, as a table or a board.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { objectQuery } from '../../api/objects.ts'
import type { Adding } from '../../components/filters/add-filter.tsx'
import { useOrg } from '../../components/use-organization.ts'
import { Page } from '../../ui/page.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { BoardView } from './board-view.tsx'
import { CreatePanel } from './create-panel.tsx'
import { PageActions } from './page-actions.tsx'
import { QuickLook } from './quick-look.tsx'
import classes from './records.module.css'
import { TableView } from './table-view.tsx'
import { Toolbar } from './toolbar.tsx'
import { useColumns } from './use-table.ts'
import { type ShownView, useGoTo, usePageSearch, useView } from './use-view.ts'
import { ViewSwitcher } from './view-switcher.tsx'

/** What is open beside the records; the address says it. */
function Panels({ object }: { object: ObjectWithAttributes }) {
  const { create, peek } = usePageSearch()
  const goTo = useGoTo()
  const close = () => void goTo({ search: ({ create: _, peek: __, ...previous }) => previous, replace: true })
  const isCreating = create === 1 && object.isActive
  return (
    <>
      {isCreating && <CreatePanel object={object} onClose={close} />}
      {peek !== undefined && !isCreating && <QuickLook object={object} id={peek} onClose={close} />}
    </>
  )
}

/** Why the page is not as one may expect it. */
function Notices({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  return (
    <>
      {!object.isActive && (
        <p className={classes.notice} role="status">
          {object.pluralName} are inactive: their records can be read, not changed. Admins and owners activate
          objects in the settings.
        </p>
      )}
      {view.isMissing && (
        <p className={classes.notice} role="status">
          The view of this link is personal or was deleted. You see what the link says of it.
        </p>
      )}
    </>
  )
}

function RecordsOf({ object }: { object: ObjectWithAttributes }) {
  const view = useView(object)
  const goTo = useGoTo()
  const [adding, setAdding] = useState<Adding>()
  const search = useRef<HTMLInputElement>(null)
  const { all } = useColumns(object, view)
  useShortcuts([
    [
      'c',
      () => object.isActive && void goTo({ search: (previous) => ({ ...previous, create: 1 as const }) }),
    ],
    ['f', () => setAdding(null)],
    ['/', () => search.current?.focus()],
  ])
  return (
    <Page
      title={view.saved ? `${view.saved.name} · ${object.pluralName}` : object.pluralName}
      heading={<ViewSwitcher object={object} view={view} />}
      actions={<PageActions object={object} view={view} />}
      width="full"
    >
      <Notices object={object} view={view} />
      <Toolbar
        object={object}
        view={view}
        columns={all}
        searchRef={search}
        adding={adding}
        setAdding={setAdding}
      />
      {view.state.kind === 'board' ? (
        <BoardView object={object} view={view} />
      ) : (
        <TableView object={object} view={view} onFilter={setAdding} />
      )}
      <Panels object={object} />
    </Page>
  )
}

export function RecordsPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/' })
  const { data: object } = useSuspenseQuery(objectQuery(useOrg(), slug))
  return <RecordsOf key={object.id} object={object} />
}

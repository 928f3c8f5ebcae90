// The records of an object, as a table or a board.
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FilterX, Unlink } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { type Attribute, objectQuery } from '../../shared/api/objects.ts'
import type { RecordData } from '../../shared/api/records.ts'
import type { Adding } from '../../shared/filters/add-condition.tsx'
import { hasFault } from '../../shared/filters/operand-faults.ts'
import { filterable } from '../../shared/filters/record-fields.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { later } from '../../ui/later.tsx'
import { Page } from '../../ui/page.tsx'
import { PartPending } from '../../ui/page-pending.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { PageActions } from './page/page-actions.tsx'
import { Toolbar } from './page/toolbar.tsx'
import { TableView } from './table/table-view.tsx'
import { useColumns } from './table/use-table.ts'
import { filterTreeOf } from './view/search-body.ts'
import { type ShownView, useGoTo, usePageSearch, useView } from './view/use-view.ts'
import { ViewSwitcher } from './view/view-switcher.tsx'
import { ViewTabs } from './view/view-tabs.tsx'

const CreatePanel = later(async () => (await import('./page/create-panel.tsx')).CreatePanel)
const QuickLook = later(async () => (await import('./table/quick-look.tsx')).QuickLook)

const Board = lazy(async () => ({ default: (await import('./board/board.tsx')).Board }))

function BoardView({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  /** Initial values of a record that is created in a column. */
  const [preset, setPreset] = useState<RecordData>()
  return (
    <Suspense fallback={<PartPending />}>
      <Board
        objectWithAttributes={object}
        view={view.state}
        filterTree={filterTreeOf(view.state)}
        onCreate={setPreset}
      />
      {preset && <CreatePanel object={object} preset={preset} onClose={() => setPreset(undefined)} />}
    </Suspense>
  )
}

/** The panel next to the records, as the address names it. */
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

function InactiveNotice({ pluralName, isActive }: ObjectWithAttributes) {
  return isActive ? null : (
    <p className="fixed small sunken strip" role="status">
      {pluralName} are inactive: their records can be read, not changed. Admins and owners activate objects in
      the settings.
    </p>
  )
}

const PROBLEMS = {
  view: { title: 'This view is not available', text: 'The view of this link is personal or was deleted.' },
  filter: {
    title: 'The filter of this link cannot be read',
    text: 'The link may be incomplete.',
  },
}

/** An invalid link shows no records, because other records would look like its result. */
function LinkProblem({ object, view, problem }: RecordsProps & { problem: keyof typeof PROBLEMS }) {
  const { title, text } = PROBLEMS[problem]
  const showAll = (
    <Button variant="default" onClick={() => view.open(undefined)}>
      Show all {object.pluralName.toLowerCase()}
    </Button>
  )
  return (
    <div role="status">
      <EmptyState icon={Unlink} title={title} action={showAll}>
        {text}
      </EmptyState>
    </div>
  )
}

interface RecordsProps {
  object: ObjectWithAttributes
  view: ShownView
}

/** With an invalid filter no records are shown, because unfiltered records would be a wrong result. */
function Records(props: RecordsProps & { onFilter(adding: Adding<Attribute>): void }) {
  const { object, view } = props
  if (view.problem) return <LinkProblem object={object} view={view} problem={view.problem} />
  if (hasFault(view.state.filter, filterable(object.attributes)))
    return (
      <EmptyState icon={FilterX} title="A filter has to be corrected">
        Open the marked filter above and correct it, or remove it.
      </EmptyState>
    )
  return view.state.kind === 'board' ? <BoardView object={object} view={view} /> : <TableView {...props} />
}

function RecordsOf({ object }: { object: ObjectWithAttributes }) {
  const view = useView(object)
  const goTo = useGoTo()
  const [adding, setAdding] = useState<Adding<Attribute>>()
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
      heading={
        <>
          <ViewSwitcher object={object} view={view} />
          <ViewTabs object={object} view={view} />
        </>
      }
      actions={<PageActions object={object} view={view} />}
      width="full"
    >
      <InactiveNotice {...object} />
      <Toolbar
        object={object}
        view={view}
        columns={all}
        searchRef={search}
        adding={adding}
        setAdding={setAdding}
      />
      <Records object={object} view={view} onFilter={setAdding} />
      <Panels object={object} />
    </Page>
  )
}

export function RecordsPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/' })
  const { data: object } = useSuspenseQuery(objectQuery(useOrg(), slug))
  return <RecordsOf key={object.id} object={object} />
}

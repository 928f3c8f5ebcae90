// Below the page head: quick search, filter, and settings of columns or board. On a phone the filter is a sheet.
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ListFilter } from 'lucide-react'
import { lazy, type RefObject, Suspense, useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { Adding } from '../../../shared/filters/add-condition.tsx'
import { FilterBar } from '../../../shared/filters/filter-bar.tsx'
import { leavesOf } from '../../../shared/filters/logic-tree.ts'
import { filterable } from '../../../shared/filters/record-fields.ts'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { later } from '../../../ui/later.tsx'
import { ColumnsPopover } from '../table/columns-popover.tsx'
import { QuickSearch } from '../view/quick-search.tsx'
import type { ShownView } from '../view/use-view.ts'
import { ViewChangesBar } from '../view/view-changes.tsx'
import classes from './records.module.css'

const BoardDisplay = lazy(async () => ({ default: (await import('../board/board.tsx')).BoardDisplay }))
const FilterDrawer = later(async () => (await import('../view/filter-drawer.tsx')).FilterDrawer)

interface ToolbarProps {
  object: ObjectWithAttributes
  view: ShownView
  columns: readonly TableColumn[]
  searchRef: RefObject<HTMLInputElement | null>
  adding: Adding<Attribute>
  setAdding(adding: Adding<Attribute>): void
}

function Filters({ object, view, adding, setAdding }: ToolbarProps) {
  return (
    <FilterBar
      attributes={filterable(object.attributes)}
      filter={view.state.filter}
      onChange={(filter) => view.change({ filter })}
      adding={adding}
      setAdding={setAdding}
    />
  )
}

function FilterSheet(props: ToolbarProps) {
  const [isOpen, setOpen] = useState(false)
  const count = leavesOf(props.view.state.filter).length
  const isShown = isOpen || props.adding !== undefined
  const close = () => {
    setOpen(false)
    props.setAdding(undefined)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<ListFilter size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? `Filters (${formatCount(count)})` : 'Filters'}
      </Button>
      {isShown && (
        <FilterDrawer onClose={close}>
          <Filters {...props} />
        </FilterDrawer>
      )}
    </>
  )
}

export function Toolbar(props: ToolbarProps) {
  const { object, view, columns, searchRef } = props
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  return (
    <div className={classes.bar}>
      <QuickSearch
        ref={searchRef}
        label={`Quick search in ${object.pluralName.toLowerCase()}`}
        value={view.state.search}
        onChange={(search) => view.change({ search }, 'quietly')}
      />
      {isNarrow ? <FilterSheet {...props} /> : <Filters {...props} />}
      <ViewChangesBar object={object} view={view} />
      {view.state.kind === 'table' ? (
        <ColumnsPopover columns={columns} state={view.state} change={view.change} />
      ) : (
        <Suspense>
          <BoardDisplay object={object} view={view} />
        </Suspense>
      )}
    </div>
  )
}

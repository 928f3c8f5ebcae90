// The objects in the sidebar, each with its views. The views of deals are unfolded by default, other views are folded.
import { useLocalStorage } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { ChevronRight, Kanban, Table2, UserRoundCheck } from 'lucide-react'
import { useId, useMemo } from 'react'
import { type View, viewsQuery } from '../../features/records/api/views.ts'
import { isDelivered, ownRecordsView } from '../../features/records/own-records-view.ts'
import { allObjectsQuery } from '../../features/settings/api/object-administration.ts'
import { type CrmObject, objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { objectIcon } from '../../shared/icons.ts'
import { recordPaths } from '../../shared/paths.ts'
import { useOrg } from '../../shared/use-organization.ts'
import classes from '../../ui/frame.module.css'
import { NavItem } from './nav-item.tsx'

const COUNTED_MS = 60_000

/**
 * The number of records of each object, by object id. No page waits for a count. A count that takes too long is not
 * shown.
 */
function useCounts(): ReadonlyMap<string, number | null> {
  const { data } = useQuery({
    ...allObjectsQuery(useOrg()),
    staleTime: COUNTED_MS,
    refetchInterval: COUNTED_MS,
  })
  return new Map(data?.map(({ id, recordCount }) => [id, recordCount]))
}

/** The delivered view comes first. undefined until the views are loaded. */
function useViews(slug: string): readonly View[] | undefined {
  const org = useOrg()
  const { data: object } = useQuery(objectQuery(org, slug))
  const { data: saved } = useQuery(viewsQuery(org, slug))
  return useMemo(() => {
    const own = object && ownRecordsView(object)
    return object && saved && [...(own ? [own] : []), ...saved]
  }, [object, saved])
}

const iconOf = (view: View) => (isDelivered(view) ? UserRoundCheck : view.kind === 'board' ? Kanban : Table2)

function ViewItems({ slug, id }: { slug: string; id: string }) {
  const org = useOrg()
  const views = useViews(slug)
  return (
    <ul id={id} className={classes.views}>
      {views?.map((view) => (
        <li key={view.id}>
          <NavItem to={recordPaths.object(org, slug)} search={{ view: view.id }} icon={iconOf(view)}>
            {view.name}
          </NavItem>
        </li>
      ))}
      {views?.length === 0 && <li className="muted tiny">No saved views</li>}
    </ul>
  )
}

interface ObjectItemProps {
  object: CrmObject
  count: number | null | undefined
  isOpen: boolean
  onToggle(): void
}

function ObjectItem({ object: { slug, pluralName }, count, isOpen, onToggle }: ObjectItemProps) {
  const to = recordPaths.object(useOrg(), slug)
  const id = useId()
  // Only one entry is marked: the open view if the views are unfolded, otherwise the object.
  const isViewShown = useRouterState({
    select: ({ location }) => location.pathname === to && 'view' in location.search,
  })
  return (
    <>
      <div className={classes.object}>
        <NavItem
          to={to}
          icon={objectIcon(slug)}
          count={count}
          {...(isOpen && isViewShown && { exact: true, search: {} })}
        >
          {pluralName}
        </NavItem>
        <button
          type="button"
          className={classes.toggle}
          aria-label={`Views of ${pluralName.toLowerCase()}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
      </div>
      {isOpen && <ViewItems slug={slug} id={id} />}
    </>
  )
}

export function ObjectItems() {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const counts = useCounts()
  const [open, setOpen] = useLocalStorage<string[]>({
    key: `rapport-open-objects:${org}`,
    defaultValue: ['deals'],
    getInitialValueInEffect: false,
  })
  const toggle = (slug: string) =>
    setOpen((before) => (before.includes(slug) ? before.filter((one) => one !== slug) : [...before, slug]))
  return objects.map((object) => (
    <ObjectItem
      key={object.id}
      object={object}
      count={counts.get(object.id)}
      isOpen={open.includes(object.slug)}
      onToggle={() => toggle(object.slug)}
    />
  ))
}

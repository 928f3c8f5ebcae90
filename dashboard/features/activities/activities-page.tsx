// Every activity of the organization.
import { Button, Menu, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { objectsQuery } from '../../shared/api/objects.ts'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import type { EntryActions } from './activity-facts.tsx'
import { ActivityPanel, NewActivityPanel } from './activity-panel.tsx'
import { type ActivitySearch, filterKeys, filtersOf, recordIn } from './activity-search.ts'
import type { Activity } from './api.ts'
import { DeleteActivity } from './delete-activity.tsx'
import { ActivityList } from './list/activity-list.tsx'
import { FilterBar } from './list/filter-bar.tsx'
import { activityPaths } from './paths.ts'

function useActivitySearch() {
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$org/activities' })
  /** undefined removes a part. @param isStep adds a history entry, for panels; filters replace the current one */
  const change = (part: Partial<ActivitySearch>, isStep = false) =>
    void navigate({
      to: '.',
      search: (before: ActivitySearch) => ({ ...before, ...part }),
      replace: !isStep,
    } as never)
  return { search, change }
}

function useFilters(search: ActivitySearch) {
  const { organization, user } = useOrganization()
  const { data: objects } = useSuspenseQuery(objectsQuery(organization.slug))
  const objectId = (slug: string) => objects.find((object) => object.slug === slug)?.id ?? slug
  return filtersOf(search, { userId: user.id, objectId })
}

interface PanelsProps {
  search: ActivitySearch
  onClose(): void
}

function Panels({ search, onClose }: PanelsProps) {
  const record = recordIn(search)
  if (search.activity) return <ActivityPanel id={search.activity} onClose={onClose} />
  return search.create ? (
    <NewActivityPanel {...(record && { linkedRecords: [record] })} onClose={onClose} />
  ) : null
}

function CreateButton({ onCreate }: { onCreate(): void }) {
  useShortcuts([['c', onCreate]])
  return (
    <Tooltip label="Create activity (C)">
      <Button aria-keyshortcuts="C" onClick={onCreate} leftSection={<Plus size={14} aria-hidden />}>
        Create
      </Button>
    </Tooltip>
  )
}

function PageMenu() {
  return (
    <MoreMenu width={200}>
      <Menu.Item
        component={Link}
        to={activityPaths.trash(useOrg())}
        leftSection={<Trash2 size={14} aria-hidden />}
      >
        Trash
      </Menu.Item>
    </MoreMenu>
  )
}

function Actions({ onCreate }: { onCreate(): void }) {
  return (
    <>
      <PageMenu />
      <CreateButton onCreate={onCreate} />
    </>
  )
}

export function ActivitiesPage() {
  const { search, change } = useActivitySearch()
  const filters = useFilters(search)
  const [removed, setRemoved] = useState<Activity>()
  const create = () => change({ create: 1, activity: undefined }, true)
  const clear = () => change(Object.fromEntries(filterKeys.map((key) => [key, undefined])))
  const actions: EntryActions = {
    edit: (activity) => change({ activity, create: undefined }, true),
    remove: setRemoved,
  }
  return (
    <Page title="Activities" width="full" actions={<Actions onCreate={create} />}>
      <div className="listing">
        <FilterBar search={search} onChange={change} />
        <ActivityList filters={filters} actions={actions} onCreate={create} onClear={clear} />
      </div>
      <Panels search={search} onClose={() => change({ activity: undefined, create: undefined })} />
      {removed && <DeleteActivity activity={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

// The groups of duplicate records of an object, which can be merged or dismissed.

import { SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CopyCheck } from 'lucide-react'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { objectQuery } from '../../shared/api/objects.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { recordPaths } from '../../shared/paths.ts'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { duplicateGroupsQuery, duplicateSearchQuery } from './api/duplicates.ts'
import { GroupTable } from './duplicates/group-table.tsx'
import { SearchState } from './duplicates/search-state.tsx'

interface ShownProps {
  object: ObjectWithAttributes
  isDismissed: boolean
}

function Nothing({ object, isDismissed }: ShownProps) {
  const { data: search } = useQuery(duplicateSearchQuery(useOrg(), object.slug))
  const what = object.pluralName.toLowerCase()
  if (isDismissed) return <EmptyState icon={CopyCheck} title="No dismissed groups" />
  if (search === undefined) return null
  const wasFound = search !== null && search.foundAt !== null
  if (wasFound) return <EmptyState icon={CopyCheck} title={`No duplicate ${what}`} />
  return (
    <EmptyState icon={CopyCheck} title={`Find duplicate ${what}`}>
      A search compares all {what} by the duplicate rules of the object. You can go on working meanwhile.
    </EmptyState>
  )
}

function Groups({ object, isDismissed }: ShownProps) {
  const query = useInfiniteQuery(duplicateGroupsQuery(useOrg(), object.slug, isDismissed))
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  const groups = query.data.pages.flatMap((page) => page.groups)
  if (groups.length === 0) return <Nothing object={object} isDismissed={isDismissed} />
  return (
    <>
      <GroupTable object={object} groups={groups} />
      <MoreButton list={query} />
    </>
  )
}

function OpenOrDismissed({ value, onChange }: { value: boolean; onChange(isDismissed: boolean): void }) {
  return (
    <SegmentedControl
      aria-label="Groups"
      value={value ? 'dismissed' : 'open'}
      onChange={(chosen) => onChange(chosen === 'dismissed')}
      data={[
        { value: 'open', label: 'Open' },
        { value: 'dismissed', label: 'Dismissed' },
      ]}
    />
  )
}

export function DuplicatesPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/duplicates' })
  const org = useOrg()
  const { data: object } = useSuspenseQuery(objectQuery(org, slug))
  const [isDismissed, setDismissed] = useState(false)
  const what = object.pluralName.toLowerCase()
  return (
    <SettingsPage
      key={object.id}
      title={`Duplicates of ${what}`}
      lead={`Groups of ${what} that look the same. Merge them, or say that they are not duplicates.`}
      heading={
        <Crumbs
          way={[{ name: object.pluralName, to: recordPaths.object(org, object.slug) }]}
          here="Duplicates"
        />
      }
    >
      <SearchState object={object}>
        <OpenOrDismissed value={isDismissed} onChange={setDismissed} />
      </SearchState>
      <Groups object={object} isDismissed={isDismissed} />
    </SettingsPage>
  )
}

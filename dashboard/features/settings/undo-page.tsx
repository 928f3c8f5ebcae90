// Undoes all changes of an import, workflow run, API key, member or program from the last day. The address may name a
// workflow run or an API key: then the page asks whether all that it did is undone.
import { Text } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MoreButton } from '../../shared/more-button.tsx'
import { EmptyState } from '../../shared/state.tsx'
import { undoableSince } from '../../shared/undo/undo-time.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { changeSetsKey, changeSetsQuery, isOpen, type UndoSource, undoJobsQuery } from './api/undo-jobs.ts'
import { ChangeSetTable } from './undo/change-set-table.tsx'
import { UndoJobTable } from './undo/undo-job-table.tsx'
import { UndoSetDialog } from './undo/undo-set-dialog.tsx'
import type { UndoSearch } from './undo-search.ts'

const lead =
  'What imports, workflow runs, API keys, jobs and edits of many records did with records, activities, comments and files in the last day: undo all that one of them did. Edited activities and comments are listed too.'

/** Reloads the list when a job ends: the undone change set is removed, and the undo is a new one. */
function useFreshSets(org: string, openJobs: number): void {
  const client = useQueryClient()
  const before = useRef(openJobs)
  useEffect(() => {
    if (openJobs < before.current) void client.invalidateQueries({ queryKey: changeSetsKey(org) })
    before.current = openJobs
  }, [client, org, openJobs])
}

/** What the address asks to undo. The changes of an API key need the time from which on they are undone. */
function useAsked() {
  const search = useSearch({ from: '/o/$org/settings/undo' }) as UndoSearch
  const navigate = useNavigate()
  const [from] = useState(() => new Date(undoableSince()).toISOString())
  const close = () => void navigate({ to: '.', search: {} as never, replace: true, resetScroll: false })
  const { kind, id, name = '' } = search
  if (kind === undefined || id === undefined) return { asked: undefined, close }
  const asked: UndoSource = { kind, id, name, ...(kind === 'apiKey' && { from }) }
  return { asked, close }
}

function ChangeSets() {
  const list = useSuspenseInfiniteQuery(changeSetsQuery(useOrg()))
  const { pages } = list.data
  const sets = pages.flatMap(({ changeSets }) => changeSets)
  return (
    <>
      {sets.length > 0 ? (
        <ChangeSetTable sets={sets} />
      ) : (
        <EmptyState icon={Undo2} title="No changes to undo">
          Changes by imports, workflows and programs, edits of many records, and edited activities and
          comments are listed here for a day.
        </EmptyState>
      )}
      <MoreButton list={list} />
      {pages.some(({ isComplete }) => !isComplete) && (
        <Text c="dimmed" role="note">
          This list is not complete: it has only the workflow runs and API keys of the newest changes. To undo
          an older run, open its page. To undo an API key, use the list of API keys.
        </Text>
      )}
    </>
  )
}

export function UndoPage() {
  const org = useOrg()
  const { data: jobs = [] } = useQuery(undoJobsQuery(org))
  const { asked, close } = useAsked()
  useFreshSets(org, jobs.filter(isOpen).length)
  return (
    <SettingsPage title="Undo changes" lead={lead}>
      <ChangeSets />
      {jobs.length > 0 && (
        <Section title="Undone" description="For a week. What was undone by mistake is in the list above.">
          <UndoJobTable jobs={jobs} />
        </Section>
      )}
      {asked && <UndoSetDialog source={asked} onClose={close} />}
    </SettingsPage>
  )
}

// Undoes all changes of an import, workflow run or program from the last day.
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { changeSetsKey, changeSetsQuery, isOpen, undoJobsQuery } from './api/undo-jobs.ts'
import { ChangeSetTable } from './undo/change-set-table.tsx'
import { UndoJobTable } from './undo/undo-job-table.tsx'

const lead =
  'What imports, workflow runs, API keys and other programs did with records, activities and comments in the last day: undo all that one of them did.'

/** Reloads the list when a job ends: the undone change set is removed, and the undo is a new one. */
function useFreshSets(org: string, openJobs: number): void {
  const client = useQueryClient()
  const before = useRef(openJobs)
  useEffect(() => {
    if (openJobs < before.current) void client.invalidateQueries({ queryKey: changeSetsKey(org) })
    before.current = openJobs
  }, [client, org, openJobs])
}

export function UndoPage() {
  const org = useOrg()
  const { data } = useSuspenseQuery(changeSetsQuery(org))
  const { data: jobs = [] } = useQuery(undoJobsQuery(org))
  useFreshSets(org, jobs.filter(isOpen).length)
  return (
    <SettingsPage title="Undo changes" lead={lead}>
      {data.changeSets.length > 0 ? (
        <ChangeSetTable sets={data.changeSets} />
      ) : (
        <EmptyState icon={Undo2} title="No changes to undo">
          What imports, workflows and programs change is listed here for a day.
        </EmptyState>
      )}
      {jobs.length > 0 && (
        <Section title="Undone" description="For a week. What was undone by mistake is in the list above.">
          <UndoJobTable jobs={jobs} />
        </Section>
      )}
    </SettingsPage>
  )
}

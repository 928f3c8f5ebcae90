// The list of workflows, and a button that creates more.
import { Button, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Plus, Workflow as WorkflowIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { WithReason } from '../../ui/allowed.tsx'
import { held } from '../../ui/held.ts'
import { Page } from '../../ui/page.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { workflowsQuery } from './api/workflows.ts'
import { Gallery } from './gallery/gallery.tsx'
import { WorkflowTable } from './list/workflow-table.tsx'
import { useWorkflowSearch } from './workflow-search.ts'

function CreateButton({ onClick }: { onClick(): void }) {
  const { may } = useOrganization()
  const reason = may('admin') ? undefined : 'Only owners and admins can create workflows'
  const button = (
    <Button
      leftSection={<Plus size={14} aria-hidden />}
      {...held(reason, onClick)}
      aria-keyshortcuts={reason === undefined ? 'C' : undefined}
    >
      Create workflow
    </Button>
  )
  if (reason !== undefined) return <WithReason reason={reason}>{button}</WithReason>
  return <Tooltip label="Create workflow (C)">{button}</Tooltip>
}

function Nothing({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={WorkflowIcon} title="No workflows yet" action={action}>
      A workflow acts when something happens: a deal is won, a person is added, or on a schedule. Start with
      one of eleven templates, or from scratch.
    </EmptyState>
  )
}

export function WorkflowsPage() {
  const { may } = useOrganization()
  const { data: workflows } = useSuspenseQuery(workflowsQuery(useOrg()))
  const [{ create }, change] = useWorkflowSearch()
  const add = () => change({ create: 1 })
  useShortcuts([['c', () => may('admin') && add()]])
  const button = <CreateButton onClick={add} />
  return (
    <Page title="Workflows" width="full" actions={workflows.length > 0 && button}>
      <div className="stack gap-16 listing">
        {workflows.length > 0 ? <WorkflowTable workflows={workflows} /> : <Nothing action={button} />}
      </div>
      {create && may('admin') && (
        <Gallery onClose={() => change({ create: undefined, template: undefined })} />
      )}
    </Page>
  )
}

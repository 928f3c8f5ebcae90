// The page of a workflow: runs, definition and settings.
import { Button, Tabs, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { Suspense } from 'react'
import { EditButton } from '../../shared/edit-button.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { held } from '../../ui/held.ts'
import { Page } from '../../ui/page.tsx'
import { PartPending } from '../../ui/page-pending.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { type WorkflowWithDefinition, workflowQuery } from './api/workflows.ts'
import { Definition } from './definition/definition.tsx'
import { EnabledSwitch } from './list/enabled-switch.tsx'
import { workflowPaths } from './paths.ts'
import { RunDialog } from './run/run-dialog.tsx'
import { RunList } from './runs/run-list.tsx'
import { WorkflowSettings } from './settings/workflow-settings.tsx'
import { useWorkflowSearch, WORKFLOW_TABS, type WorkflowTab } from './workflow-search.ts'

const TAB_LABELS: Readonly<Record<WorkflowTab, string>> = {
  runs: 'Runs',
  definition: 'Definition',
  settings: 'Settings',
}

type Props = { workflow: WorkflowWithDefinition }

function RunNow({ workflow }: Props) {
  const org = useOrg()
  const navigate = useNavigate()
  const [{ run }, change] = useWorkflowSearch()
  const reason = workflow.enabled ? undefined : 'Switch it on to run it'
  const close = () => change({ run: undefined }, { replace: true })
  const open = () => reason === undefined && change({ run: 1 })
  useShortcuts([['r', open]])
  return (
    <>
      <Tooltip
        label={reason ?? 'Run now (R)'}
        events={{ hover: true, focus: reason !== undefined, touch: true }}
      >
        <Button
          variant="default"
          className="word-only"
          leftSection={<Play size={14} aria-hidden />}
          aria-keyshortcuts="R"
          {...held(reason, open)}
        >
          Run now
        </Button>
      </Tooltip>
      {run && workflow.enabled && (
        <RunDialog
          workflow={workflow}
          onStarted={({ runId }) => void navigate({ to: workflowPaths.workflowRun(org, workflow.id, runId) })}
          onClose={close}
        />
      )}
    </>
  )
}

function Parts({ workflow }: Props) {
  const [{ tab = 'runs' }, change] = useWorkflowSearch()
  const open = (value: string | null) => {
    const chosen = value === 'definition' || value === 'settings' ? value : undefined
    change({ tab: chosen, status: undefined, page: undefined })
  }
  return (
    <Tabs value={tab} onChange={open} keepMounted={false} className="stack rest">
      <Tabs.List aria-label="Parts of the workflow" className="fixed" px={16}>
        {WORKFLOW_TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {TAB_LABELS[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Suspense fallback={<PartPending />}>
        <Tabs.Panel value="runs" className="rest scroll listing">
          <RunList workflow={workflow} />
        </Tabs.Panel>
        <Tabs.Panel value="definition" className="rest">
          <Definition definition={workflow.definition} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="rest scroll listing">
          <WorkflowSettings workflow={workflow} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}

export function WorkflowPage() {
  const { workflow: id = '' } = useParams({ strict: false }) as { workflow?: string }
  const org = useOrg()
  const { may } = useOrganization()
  const { data: workflow } = useSuspenseQuery(workflowQuery(org, id))
  return (
    <Page
      title={workflow.name}
      width="full"
      heading={
        <Crumbs way={[{ name: 'Workflows', to: workflowPaths.workflows(org) }]} here={workflow.name} />
      }
      actions={
        <>
          <EnabledSwitch workflow={workflow} />
          <RunNow workflow={workflow} />
          <EditButton
            to={workflowPaths.workflowEditor(org, workflow.id)}
            reason={may('admin') ? undefined : 'Only owners and admins can edit workflows'}
          />
        </>
      }
    >
      <Parts key={workflow.id} workflow={workflow} />
    </Page>
  )
}

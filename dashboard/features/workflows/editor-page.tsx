// The page that edits a new or existing workflow.

import { TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Workflow as WorkflowIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { NAME_MAX } from '../../../contract/limits.ts'
import { hasCode } from '../../shared/api/errors.ts'
import { freeName } from '../../shared/free-name.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Page } from '../../ui/page.tsx'
import { tooLong } from '../../ui/too-long.ts'
import { type WorkflowWithDefinition, workflowQuery, workflowsQuery } from './api/workflows.ts'
import { Editor } from './editor/editor.tsx'
import { EMPTY_DEFINITION } from './editor/new-step.ts'
import type { Saving } from './editor/use-saving.ts'
import { workflowPaths } from './paths.ts'
import { useWorkflowSearch } from './workflow-search.ts'

function OwnersOnly({ children }: { children: ReactNode }) {
  const { may } = useOrganization()
  if (may('admin')) return children
  return (
    <Page title="Edit workflow">
      <EmptyState icon={WorkflowIcon} title="Only owners and admins can edit workflows">
        You can read what each of them does, and run it.
      </EmptyState>
    </Page>
  )
}

interface NameProps {
  name: string
  onChange(name: string): void
  saving: Saving
}

function Name({ name, onChange, saving }: NameProps) {
  const taken = hasCode(saving.error, 'name_taken') ? 'Another workflow has this name' : undefined
  return (
    <TextInput
      aria-label="Name of the workflow"
      w="min(260px, 35vw)"
      value={name}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={taken ?? tooLong(name, NAME_MAX) ?? (name.trim() === '' && 'It needs a name')}
    />
  )
}

function New() {
  const org = useOrg()
  const navigate = useNavigate()
  const { data: workflows } = useSuspenseQuery(workflowsQuery(org))
  const [name, setName] = useState(() =>
    freeName(
      'New workflow',
      workflows.map((one) => one.name),
    ),
  )
  return (
    <Editor
      title="New workflow"
      workflow={undefined}
      name={name}
      definition={EMPTY_DEFINITION}
      step={undefined}
      onCreated={(id) => void navigate({ to: workflowPaths.workflowEditor(org, id), replace: true })}
      heading={({ saving }) => (
        <>
          <Crumbs way={[{ name: 'Workflows', to: workflowPaths.workflows(org) }]} here="New" />
          <Name name={name} onChange={setName} saving={saving} />
        </>
      )}
    />
  )
}

function Existing({ workflow }: { workflow: WorkflowWithDefinition }) {
  const org = useOrg()
  const [{ step }] = useWorkflowSearch()
  const way = [
    { name: 'Workflows', to: workflowPaths.workflows(org) },
    { name: workflow.name, to: workflowPaths.workflow(org, workflow.id) },
  ]
  return (
    <Editor
      title={`Edit ${workflow.name}`}
      workflow={workflow}
      name={workflow.name}
      definition={workflow.definition}
      step={step}
      onCreated={() => undefined}
      heading={() => <Crumbs way={way} here="Edit" />}
    />
  )
}

export function NewWorkflowPage() {
  return (
    <OwnersOnly>
      <New />
    </OwnersOnly>
  )
}

export function WorkflowEditorPage() {
  const { workflow: id = '' } = useParams({ strict: false }) as { workflow?: string }
  const { data: workflow } = useSuspenseQuery(workflowQuery(useOrg(), id))
  return (
    <OwnersOnly>
      <Existing key={id} workflow={workflow} />
    </OwnersOnly>
  )
}

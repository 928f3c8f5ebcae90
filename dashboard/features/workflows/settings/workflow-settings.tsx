// The settings of a workflow: its name, and deletion.

import { Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { counted } from '../../../../contract/counted.ts'
import { fieldErrors, hasCode } from '../../../shared/api/errors.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { changedFields } from '../../../shared/form/changed-fields.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../../ui/allowed.tsx'
import { DangerAction, DangerZone } from '../../../ui/sections.tsx'
import { openRunsQuery, runsQuery } from '../api/workflow-runs.ts'
import {
  deleteWorkflow,
  patchWorkflow,
  type WorkflowWithDefinition,
  workflowKey,
  workflowsKey,
  workflowsQuery,
} from '../api/workflows.ts'
import { workflowPaths } from '../paths.ts'

interface Props {
  workflow: WorkflowWithDefinition
}

const problemsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'name_taken') ? { name: 'Another workflow has this name' } : fieldErrors(error)

function useNaming({ id, ...saved }: WorkflowWithDefinition) {
  const org = useOrg()
  const client = useQueryClient()
  return useDataForm({
    draft: `workflow settings ${id}`,
    initial: () => ({ name: saved.name, description: saved.description }),
    problemsOf,
    async save(sent, { before, settle }) {
      const trimmed = { name: sent.name.trim(), description: sent.description.trim() }
      const patch = changedFields(before, trimmed)
      const { name, description } = await patchWorkflow(org, { id, patch })
      settle({ name, description }, sent)
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    },
  })
}

function Naming({ workflow, isReadOnly }: Props & { isReadOnly: boolean }) {
  const form = useNaming(workflow)
  return (
    <Form form={form} align="flex-start">
      <TextInput label="Name" {...form.field('name')} required readOnly={isReadOnly} className="wide" />
      <Textarea
        label="Description"
        description="What it is for, and who to ask about it"
        {...form.field('description')}
        readOnly={isReadOnly}
        className="wide"
      />
      <FormProblem form={form} />
      {!isReadOnly && (
        <SubmitButton form={form} isReady={form.isChanged && form.values.name.trim() !== ''}>
          Save changes
        </SubmitButton>
      )}
    </Form>
  )
}

function Consequence({ workflow }: Props) {
  const org = useOrg()
  const { data: runs } = useQuery(runsQuery(org, workflow.id, { page: 0 }))
  const { data: open } = useQuery(openRunsQuery(org, workflow.id))
  const all = runs?.pagination.total
  if (all === undefined || open === undefined) return <>This also deletes its versions and its run history.</>
  if (all === 0) return <>It has never run. This also deletes its versions.</>
  return (
    <>
      This also deletes its versions and the history of {counted(all, 'run')}
      {open > 0 && <>, and cancels {counted(open, 'open run')}</>}.
    </>
  )
}

function Delete({ workflow, onClose }: Props & { onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await deleteWorkflow(org, workflow.id)
    // Leaves the page before removing the query: the page would request the deleted workflow.
    await client.invalidateQueries({ queryKey: workflowsQuery(org).queryKey })
    await navigate({ to: workflowPaths.workflows(org) })
    client.removeQueries({ queryKey: workflowKey(org, workflow.id) })
  }
  return (
    <ConfirmDialog
      title="Delete this workflow?"
      confirm="Delete workflow"
      typed={workflow.name}
      onConfirm={remove}
      onClose={onClose}
    >
      <Consequence workflow={workflow} /> This cannot be undone.
    </ConfirmDialog>
  )
}

export function WorkflowSettings({ workflow }: Props) {
  const { may } = useOrganization()
  const isReadOnly = !may('admin')
  return (
    <Stack gap={32} maw={720}>
      {isReadOnly && (
        <ReadOnlyNote>Only owners and admins can rename, edit and delete workflows.</ReadOnlyNote>
      )}
      <Naming workflow={workflow} isReadOnly={isReadOnly} />
      {!isReadOnly && <h2 className="visually-hidden">Danger</h2>}
      {!isReadOnly && (
        <DangerZone>
          <DangerAction
            title="Delete this workflow"
            verb="Delete workflow"
            ask={(close) => <Delete workflow={workflow} onClose={close} />}
          >
            <Consequence workflow={workflow} />
          </DangerAction>
        </DangerZone>
      )}
    </Stack>
  )
}

// What a workflow is called, and the end of it.
import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import { fieldErrors, hasCode } from '../../../../shared/api/errors.ts'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { changedFields } from '../../../../shared/form/changed-fields.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg, useOrganization } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { ReadOnlyNote } from '../../../../ui/allowed.tsx'
import sections from '../../../../ui/sections.module.css'
import { DangerRow, DangerZone } from '../../../../ui/sections.tsx'
import { openRunsQuery, runsQuery } from '../../api/workflow-runs.ts'
import {
  deleteWorkflow,
  patchWorkflow,
  type WorkflowWithDefinition,
  workflowKey,
  workflowsKey,
  workflowsQuery,
} from '../../api/workflows.ts'
import { workflowPaths } from '../../paths.ts'

interface Props {
  workflow: WorkflowWithDefinition
}

function useNaming({ id, ...saved }: WorkflowWithDefinition) {
  const org = useOrg()
  const client = useQueryClient()
  const draft = useDraft(`workflow settings ${id}`, () => ({
    name: saved.name,
    description: saved.description,
  }))
  const submission = useSubmit(async () => {
    const sent = draft.value
    const trimmed = { name: sent.name.trim(), description: sent.description.trim() }
    const { name, description } = await patchWorkflow(org, {
      id,
      patch: changedFields(draft.initial, trimmed),
    })
    draft.settle({ name, description }, sent)
    await client.invalidateQueries({ queryKey: workflowsKey(org) })
  })
  return { ...submission, draft }
}

function nameError(error: unknown): string | undefined {
  return hasCode(error, 'name_taken') ? 'Another workflow has this name' : fieldErrors(error).name
}

function Naming({ workflow, isReadOnly }: Props & { isReadOnly: boolean }) {
  const form = useNaming(workflow)
  const { value, change, isChanged } = form.draft
  const taken = nameError(form.error)
  return (
    <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
      <Stack gap="md" align="flex-start">
        <TextInput
          label="Name"
          value={value.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={taken}
          required
          readOnly={isReadOnly}
          className="wide"
        />
        <Textarea
          label="Description"
          description="What it is for, and who to ask about it"
          value={value.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          readOnly={isReadOnly}
          className="wide"
        />
        {!taken && <FormError error={form.error} />}
        {!isReadOnly && (
          <Button type="submit" loading={form.isBusy} disabled={!isChanged || value.name.trim() === ''}>
            Save changes
          </Button>
        )}
      </Stack>
    </DraftForm>
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
    // Its page goes first: it would ask for what is no longer there.
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
  const [isDoomed, setDoomed] = useState(false)
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
          <DangerRow
            title="Delete this workflow"
            action={
              <Button variant="default" className={sections.dangerButton} onClick={() => setDoomed(true)}>
                Delete workflow
              </Button>
            }
          >
            <Consequence workflow={workflow} />
          </DangerRow>
        </DangerZone>
      )}
      {isDoomed && <Delete workflow={workflow} onClose={() => setDoomed(false)} />}
    </Stack>
  )
}

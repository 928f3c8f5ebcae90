// Asks for the record and parameters of a run, then starts the run.

import { Text } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { ReferencePicker } from '../../../shared/values/reference-picker.tsx'
import { Waiting } from '../../../shared/waiting.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type RunStarted, runWorkflow } from '../api/workflow-runs.ts'
import { type Workflow, type WorkflowParameter, workflowQuery, workflowsKey } from '../api/workflows.ts'
import { ParameterFields } from './parameter-fields.tsx'
import { takesRecord } from './parameters.ts'
import { parameterFields, useParameterForm } from './use-parameter-form.ts'

interface RunDialogProps {
  workflow: Workflow
  /** The record of the run, if known. */
  record?: { id: string; name: string }
  onStarted(started: RunStarted): void
  onClose(): void
}

function What({ workflow, record }: Pick<RunDialogProps, 'workflow' | 'record'>) {
  if (record) return <Text>It runs on {record.name}.</Text>
  return takesRecord(workflow) ? null : <Text>It runs once, now.</Text>
}

function RunForm(props: RunDialogProps & { parameters: readonly WorkflowParameter[] }) {
  const { workflow, record, parameters, onStarted, onClose } = props
  const org = useOrg()
  const client = useQueryClient()
  const [recordId, setRecordId] = useState<string | null>(record?.id ?? null)
  const form = useParameterForm({
    place: workflow.id,
    parameters,
    async start(data, { forget }) {
      const started = await runWorkflow(org, workflow.id, { data, ...(recordId !== null && { recordId }) })
      forget()
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
      onStarted(started)
    },
    onClose,
  })
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const noun = objects.find(({ id }) => id === workflow.object?.id)?.singularName ?? 'Record'
  const asksRecord = takesRecord(workflow) && !record
  return (
    <Form form={form}>
      <What workflow={workflow} {...(record && { record })} />
      {asksRecord && (
        <ReferencePicker
          objectId={workflow.object?.id ?? ''}
          label={noun}
          autoFocus
          value={recordId}
          onChange={setRecordId}
          required
        />
      )}
      <ParameterFields {...parameterFields(parameters, form)} hasFocus={!asksRecord} />
      <FormEnd
        form={form}
        verb="Run workflow"
        isReady={!asksRecord || recordId !== null}
        shown={parameters.map(({ name }) => `data.${name}`)}
      />
    </Form>
  )
}

/** Mount only while the dialog is open. */
export function RunDialog(props: RunDialogProps) {
  const { workflow, onClose } = props
  const query = useQuery(workflowQuery(useOrg(), workflow.id))
  return (
    <Dialog onClose={onClose} title={`Run “${workflow.name}”`}>
      {query.data && <RunForm {...props} parameters={query.data.definition.parameters ?? []} />}
      {!query.data && <Waiting query={query} />}
    </Dialog>
  )
}

// Asks for what a run needs, then starts it.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { objectsQuery } from '../../../../shared/api/objects.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { FormError } from '../../../../shared/form-error.tsx'
import { ErrorState } from '../../../../shared/state.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { ReferencePicker } from '../../../../shared/values/reference-picker.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { PartPending } from '../../../../ui/page-pending.tsx'
import { useReturnFocus } from '../../../../ui/use-return-focus.ts'
import type { RunStarted } from '../../api/workflow-runs.ts'
import { type Workflow, type WorkflowParameter, workflowQuery } from '../../api/workflows.ts'
import { ParameterFields } from './parameter-fields.tsx'
import { takesRecord } from './parameters.ts'
import { useStart } from './use-start.ts'

interface RunDialogProps {
  workflow: Workflow
  /** The record it is run on, where that is clear. */
  record?: { id: string; name: string }
  onStarted(started: RunStarted): void
  onClose(): void
}

function What({ workflow, record }: Pick<RunDialogProps, 'workflow' | 'record'>) {
  if (record) return <Text>It runs on {record.name}.</Text>
  return takesRecord(workflow) ? null : <Text>It runs once, now.</Text>
}

function Form(props: RunDialogProps & { parameters: readonly WorkflowParameter[] }) {
  const { workflow, record, parameters, onStarted, onClose } = props
  const [chosen, setChosen] = useState<string | null>(record?.id ?? null)
  const form = useStart({ workflowId: workflow.id, parameters, onStarted })
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const noun = objects.find(({ id }) => id === workflow.object?.id)?.singularName ?? 'Record'
  const cancel = () => {
    form.draft.forget()
    onClose()
  }
  const asksRecord = takesRecord(workflow) && !record
  return (
    <DraftForm draft={form.draft} onSubmit={() => form.start(chosen)}>
      <Stack gap="md">
        <What workflow={workflow} {...(record && { record })} />
        {asksRecord && (
          <ReferencePicker
            objectId={workflow.object?.id ?? ''}
            label={noun}
            autoFocus
            value={chosen}
            onChange={setChosen}
            required
          />
        )}
        <ParameterFields
          parameters={parameters}
          drafts={form.drafts}
          errors={form.errors}
          onChange={form.change}
          hasFocus={!asksRecord}
        />
        <FormError error={form.error} fields={parameters.map(({ name }) => `data.${name}`)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy} disabled={asksRecord && chosen === null}>
            Run workflow
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}

/** Render it while it is open. */
export function RunDialog(props: RunDialogProps) {
  useReturnFocus()
  const { workflow, onClose } = props
  const { data, error, refetch } = useQuery(workflowQuery(useOrg(), workflow.id))
  return (
    <Dialog onClose={onClose} title={`Run “${workflow.name}”`}>
      {data && <Form {...props} parameters={data.definition.parameters ?? []} />}
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PartPending />)}
    </Dialog>
  )
}

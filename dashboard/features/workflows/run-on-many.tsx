// Runs a workflow on each of the selected records, and shows the progress.

import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import type { RunRecordsStarted } from '../../../contract/workflow-dashboard.ts'
import { Form, FormEnd } from '../../shared/form/form.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Waiting } from '../../shared/waiting.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { newestRunsQuery, runOnRecords } from './api/workflow-runs.ts'
import { type Workflow, type WorkflowParameter, workflowQuery, workflowsKey } from './api/workflows.ts'
import { progressOf, progressWords } from './many-runs.ts'
import { workflowPaths } from './paths.ts'
import { ParameterFields } from './run/parameter-fields.tsx'
import { parameterFields, useParameterForm } from './run/use-parameter-form.ts'

interface RunOnManyProps {
  workflow: Workflow
  ids: readonly string[]
  /** `12 deals` */
  words: string
  onClose(): void
}

function Result({ workflow, started, onClose }: RunOnManyProps & { started: RunRecordsStarted }) {
  const org = useOrg()
  const ids = started.runs.map(({ runId }) => runId)
  const { data } = useQuery(newestRunsQuery(org, workflow.id, ids))
  const progress = progressOf(ids, data ?? [])
  const words = progressWords(progress)
  const missing = started.missing.length
  return (
    <Stack gap="md">
      <Text role="status">{words}</Text>
      <Progress value={(progress.over / Math.max(1, progress.total)) * 100} aria-label={words} />
      {missing > 0 && (
        <Text>
          {missing === 1 ? 'One record is' : counted(missing, 'record is', 'records are')} no longer
          available: nothing was run on {missing === 1 ? 'it' : 'them'}.
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Anchor component={Link} to={workflowPaths.workflow(org, workflow.id)}>
          See the runs
        </Anchor>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

function RunForm(props: RunOnManyProps & { parameters: readonly WorkflowParameter[] }) {
  const { workflow, ids, words, parameters, onClose } = props
  const org = useOrg()
  const client = useQueryClient()
  const [started, setStarted] = useState<RunRecordsStarted>()
  const form = useParameterForm({
    place: workflow.id,
    parameters,
    async start(data, { forget }) {
      setStarted(await runOnRecords(org, workflow.id, { recordIds: [...ids], data }))
      forget()
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    },
    onClose,
  })
  if (started) return <Result {...props} started={started} />
  return (
    <Form form={form}>
      <Text>It runs once for each of the {words}.</Text>
      <ParameterFields {...parameterFields(parameters, form)} hasFocus />
      <FormEnd
        form={form}
        verb="Run workflow"
        aria-label={`Run workflow: ${workflow.name}`}
        shown={parameters.map(({ name }) => `data.${name}`)}
      />
    </Form>
  )
}

/** Mount only while the dialog is open. */
export function RunOnMany(props: RunOnManyProps) {
  const { workflow, words, onClose } = props
  const query = useQuery(workflowQuery(useOrg(), workflow.id))
  return (
    <Dialog onClose={onClose} title={`Run “${workflow.name}” on ${words}`}>
      {query.data && <RunForm {...props} parameters={query.data.definition.parameters ?? []} />}
      {!query.data && <Waiting query={query} />}
    </Dialog>
  )
}

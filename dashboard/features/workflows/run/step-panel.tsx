// A step of a run: state, input, output and records.
import { Box, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { capitalized } from '../../../shared/api/errors.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { RecordChip } from '../../../shared/values/record-chip.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import type { RunStep, WorkflowRunDetail } from '../api/workflow-runs.ts'
import { stepWords } from '../canvas/step-words.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { namesOf } from '../node-names.ts'
import { durationWords, startWords } from '../run-words.ts'
import { DataPart } from './data-part.tsx'
import { ItemPickers } from './item-pickers.tsx'
import { StepChip } from './run-chip.tsx'
import { stepState, type Trail } from './run-steps.ts'
import { NAMED_RECORDS_MAX, recordsOf, subjectOf } from './step-records.ts'
import type { LookedAt } from './use-looked-at.ts'

function Facts({ line }: { line: RunStep }) {
  return (
    <dl className="facts">
      <Fact name="Started">
        <TimeAgo value={line.startedAt} />
      </Fact>
      {line.durationMs !== null && <Fact name="Took">{durationWords(line.durationMs)}</Fact>}
      {line.attempts > 1 && <Fact name="Attempts">{line.attempts}</Fact>}
      {line.resumeAt !== null && line.status === 'waiting' && (
        <Fact name="Continues">
          <TimeAgo value={line.resumeAt} />
        </Fact>
      )}
    </dl>
  )
}

function Records({ refs }: { refs: ReturnType<typeof recordsOf> }) {
  if (refs.length === 0) return null
  const more = refs.length - NAMED_RECORDS_MAX
  return (
    <Box component="section" mt={16} aria-label="Records">
      <h3 className="muted tiny medium">Records</h3>
      <Box component="ul" className="flex wrap gap-6 small" mt={6}>
        {refs.slice(0, NAMED_RECORDS_MAX).map((ref) => (
          <li key={`${ref.objectId} ${ref.recordId}`} className="shrink">
            <RecordChip {...ref} />
          </li>
        ))}
        {more > 0 && <li className="muted">and {more} more</li>}
      </Box>
    </Box>
  )
}

function TriggerPanel({ run }: { run: WorkflowRunDetail }) {
  return (
    <>
      <h2>Trigger</h2>
      <Text c="dimmed" mb={12}>
        {startWords(run.triggerEvent)}
      </Text>
      <Records refs={subjectOf(run.input)} />
      <DataPart title="Data" value={run.input} />
    </>
  )
}

function Line({ line }: { line: RunStep }) {
  return (
    <>
      {line.error !== null && (
        <Text className="note breakable danger" mb={12}>
          {capitalized(plainTemplates(line.error))}
        </Text>
      )}
      <Facts line={line} />
      <Records refs={recordsOf(line)} />
      <DataPart title="Input" value={line.input} />
      <DataPart title="Output" value={line.output} />
    </>
  )
}

interface StepPanelProps {
  run: WorkflowRunDetail
  trail: Trail
  looked: LookedAt
}

export function StepPanel({ run, trail, looked }: StepPanelProps) {
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const { node, path } = looked
  if (!node?.step) return <TriggerPanel run={run} />
  const line = trail.stepAt(path.replace(/\.items\[\d+\]$/, ''))
  const state = stepState(line, run.status)
  const { title, summary } = stepWords(node.step, namesOf(objects))
  return (
    <>
      <div className="flex start between gap-8">
        <h2 className="shrink breakable">{title}</h2>
        {state && <StepChip state={state} />}
      </div>
      <Text c="dimmed" mb={12} className="breakable">
        {summary}
      </Text>
      <ItemPickers trail={trail} looked={looked} node={node} />
      {line ? (
        <Line line={line} />
      ) : (
        <p className="muted small">
          {state ? 'The run did not reach this step.' : 'The run has not reached this step yet.'}
        </p>
      )}
    </>
  )
}

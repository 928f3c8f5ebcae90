// Tests the workflow up to a step and shows the result, without storing or sending anything.
import { Box, Button, Group } from '@mantine/core'
import { FlaskConical } from 'lucide-react'
import { capitalized } from '../../../shared/api/errors.ts'
import { FormError } from '../../../shared/form-error.tsx'
import type { WorkflowStep } from '../api/workflows.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { DataPart } from '../run/data-part.tsx'
import { StepChip } from '../run/run-chip.tsx'
import { useEditor } from './editor-context.ts'
import { tellingLine, timesOf } from './test-results.ts'

function Result({ step }: { step: WorkflowStep }) {
  const { result, isFresh } = useEditor().testing
  if (!result) return null
  const line = tellingLine(result, step.key)
  const times = timesOf(result, step.key)
  if (!line) return <p className="muted small">The last test did not reach this step.</p>
  return (
    <>
      <Group gap={8} mt={12}>
        <StepChip state={line.status} />
        {times > 1 && <span className="muted small">{times} times, the last shown</span>}
        {!isFresh && <span className="muted small">before the last change</span>}
      </Group>
      {line.error !== null && (
        <p className="breakable danger small">{capitalized(plainTemplates(line.error))}</p>
      )}
      <DataPart title="Input" value={line.input} />
      <DataPart title="Output" value={line.output} />
    </>
  )
}

export function StepTest({ step }: { step: WorkflowStep }) {
  const { testing } = useEditor()
  return (
    <Box
      component="section"
      pt={12}
      mt={8}
      style={{ borderTop: '1px solid var(--border)' }}
      aria-label="Test"
    >
      <Group justify="space-between">
        <h3>Test</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<FlaskConical size={14} aria-hidden />}
          loading={testing.isBusy}
          onClick={() => void testing.run(step.key)}
        >
          Test up to here
        </Button>
      </Group>
      <FormError error={testing.error} />
      <div role="status">
        <Result step={step} />
      </div>
    </Box>
  )
}

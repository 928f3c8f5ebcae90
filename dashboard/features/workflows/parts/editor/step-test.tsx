// What the step does when it is tried, without keeping or sending anything.
import { Button } from '@mantine/core'
import { FlaskConical } from 'lucide-react'
import { FormError } from '../../../../shared/form-error.tsx'
import type { WorkflowStep } from '../../api/workflows.ts'
import { JsonPart } from '../run/json-part.tsx'
import { StepChip } from '../run/run-chip.tsx'
import classes from './editor.module.css'
import { useEditor } from './editor-context.ts'
import { tellingLine, timesOf } from './test-results.ts'

function Result({ step }: { step: WorkflowStep }) {
  const { result, isFresh } = useEditor().testing
  if (!result) return null
  const line = tellingLine(result, step.key)
  const times = timesOf(result, step.key)
  if (!line) return <p className="muted small flush">The last test did not reach this step.</p>
  return (
    <>
      <p className={classes.testHead}>
        <StepChip state={line.status} />
        {times > 1 && <span className="muted small flush">{times} times, the last shown</span>}
        {!isFresh && <span className="muted small flush">before the last change</span>}
      </p>
      {line.error !== null && <p className={classes.testError}>{line.error}</p>}
      <JsonPart title="Input" value={line.input} />
      <JsonPart title="Output" value={line.output} />
    </>
  )
}

export function StepTest({ step }: { step: WorkflowStep }) {
  const { testing } = useEditor()
  return (
    <section className={classes.test} aria-label="Test">
      <div className={classes.testTop}>
        <h3 className={classes.testTitle}>Test</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<FlaskConical size={14} aria-hidden />}
          loading={testing.isBusy}
          onClick={() => void testing.run(step.key)}
        >
          Test up to here
        </Button>
      </div>
      <FormError error={testing.error} />
      <div role="status">
        <Result step={step} />
      </div>
    </section>
  )
}

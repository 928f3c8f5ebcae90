// The error handling of a step: number of retries, and whether the run continues after a failure.
import { NumberInput, Stack } from '@mantine/core'
import { STEP_RETRIES, STEP_RETRIES_MAX } from '../../../../contract/workflow-states.ts'
import { STEP_CONTRACTS } from '../../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../../contract/workflows.ts'
import { Select } from '../../../ui/select.tsx'
import { useProblem } from './field-props.ts'
import { withField } from './form-fields.ts'

export const mayFail = ({ type, retry, onError }: WorkflowStep): boolean =>
  !STEP_CONTRACTS[type].isDeciding || retry !== undefined || onError !== undefined

const ON_ERROR = [
  { value: 'fail', label: 'The run fails' },
  { value: 'continue', label: 'The run continues with the next step' },
]

interface FailureFieldsProps {
  path: string
  step: WorkflowStep
  onChange(step: WorkflowStep): void
}

export function FailureFields({ path, step, onChange }: FailureFieldsProps) {
  const set = (name: 'retry' | 'onError', value: unknown) =>
    onChange(withField({ ...step }, name, value) as WorkflowStep)
  return (
    <Stack gap={12} pt={16} style={{ borderTop: '1px solid var(--border)' }}>
      <Select
        label="When it fails"
        description={step.onError === 'continue' ? 'Later steps can read why it failed' : undefined}
        data={ON_ERROR}
        value={step.onError ?? 'fail'}
        allowDeselect={false}
        error={useProblem(`${path}.onError`)}
        onChange={(onError) => set('onError', onError === 'continue' ? 'continue' : undefined)}
      />
      <NumberInput
        label="Retries"
        description="After temporary errors, such as a server that does not answer"
        value={step.retry?.max ?? ''}
        placeholder={String(STEP_RETRIES)}
        min={0}
        max={STEP_RETRIES_MAX}
        allowDecimal={false}
        error={useProblem(`${path}.retry`)}
        onChange={(max) => set('retry', max === '' ? undefined : { max: Number(max) })}
      />
    </Stack>
  )
}

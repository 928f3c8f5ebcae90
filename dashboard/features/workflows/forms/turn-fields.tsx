// The concurrency of the runs of a workflow, and whether its own changes start it again.
import { Checkbox, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { WORKFLOW_RUNNING_MAX } from '../../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { Select } from '../../../ui/select.tsx'
import { useProblem } from './field-props.ts'
import { withField } from './form-fields.ts'
import { takes, withPart } from './triggers.ts'

interface TurnFieldsProps {
  definition: WorkflowDefinition
  onChange(definition: WorkflowDefinition): void
}

type Turns = NonNullable<WorkflowDefinition['concurrency']>

const KEYS: readonly { value: Turns['key']; label: string }[] = [
  { value: 'record', label: 'Per record' },
  { value: 'workflow', label: 'Per workflow' },
  { value: 'none', label: 'Independent runs' },
]
const CONFLICTS: readonly { value: NonNullable<Turns['onConflict']>; label: string }[] = [
  { value: 'queue', label: 'Queue' },
  { value: 'skip', label: 'Skip' },
  { value: 'restart', label: 'Replace the running one' },
]

/** Omits the setting if it equals the default. */
const kept = (turns: Turns): Turns | undefined =>
  turns.key === 'record' && turns.limit === undefined && turns.onConflict === undefined ? undefined : turns

function TurnDetails({ turns, set }: { turns: Turns; set(name: string, value: unknown): void }) {
  return (
    <SimpleGrid cols={2} spacing={8}>
      <NumberInput
        label="Maximum"
        value={turns.limit ?? ''}
        placeholder={turns.key === 'none' ? String(WORKFLOW_RUNNING_MAX) : '1'}
        min={1}
        max={WORKFLOW_RUNNING_MAX}
        allowDecimal={false}
        onChange={(limit) => set('limit', limit === '' ? undefined : Number(limit))}
      />
      {turns.key !== 'none' && (
        <Select
          label="When busy"
          data={CONFLICTS}
          value={turns.onConflict ?? 'queue'}
          allowDeselect={false}
          onChange={(way) => set('onConflict', way === 'queue' ? undefined : way)}
        />
      )}
    </SimpleGrid>
  )
}

export function TurnFields({ definition, onChange }: TurnFieldsProps) {
  const turns = definition.concurrency ?? { key: 'record' as const }
  const set = (name: string, value: unknown) =>
    onChange(withPart(definition, 'concurrency', kept(withField({ ...turns }, name, value) as Turns)))
  const choose = (key: Turns['key']) => {
    const { onConflict: _, ...others } = turns
    onChange(withPart(definition, 'concurrency', kept({ ...(key === 'none' ? others : turns), key })))
  }
  return (
    <Stack gap={12} pt={16} style={{ borderTop: '1px solid var(--border)' }}>
      <Select
        label="Concurrency"
        data={KEYS}
        value={turns.key}
        allowDeselect={false}
        error={useProblem('concurrency')}
        onChange={(key) => key && choose(key)}
      />
      <TurnDetails turns={turns} set={set} />
      {takes(definition.trigger).reentry && (
        <Checkbox
          label="Allow its own changes to start it again"
          description="On the same record: otherwise a workflow that edits its record does not start itself again"
          checked={definition.allowReentry ?? false}
          onChange={({ currentTarget }) =>
            onChange(withPart(definition, 'allowReentry', currentTarget.checked))
          }
        />
      )}
    </Stack>
  )
}

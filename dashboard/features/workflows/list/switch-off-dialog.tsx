// Asks what happens to the open runs when a workflow is switched off.
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { openRunsQuery } from '../api/workflow-runs.ts'
import type { Workflow } from '../api/workflows.ts'

interface SwitchOffDialogProps {
  workflow: Pick<Workflow, 'id' | 'name'>
  onConfirm(openRuns: OpenRunChoice): Promise<void>
  onClose(): void
}

const CHOICES: readonly { value: OpenRunChoice; label: string; description: string }[] = [
  { value: 'finish', label: 'Finish them', description: 'They run to their end. No new ones start.' },
  { value: 'pause', label: 'Pause them', description: 'They stop now, and continue when you switch it on.' },
  {
    value: 'cancel',
    label: 'Cancel them',
    description: 'They stop now, for good. What their steps did is not undone.',
  },
]

/** Mount only while the dialog is open. */
export function SwitchOffDialog({ workflow, onConfirm, onClose }: SwitchOffDialogProps) {
  const [choice, setChoice] = useState<OpenRunChoice>('finish')
  const { data: open = 0 } = useQuery(openRunsQuery(useOrg(), workflow.id))
  const cancels = choice === 'cancel' && open > 0
  return (
    <ConfirmDialog
      title={`Switch off “${workflow.name}”?`}
      confirm={cancels ? `Switch off and cancel ${counted(open, 'run')}` : 'Switch off'}
      dismiss="Keep it on"
      isHarmless={!cancels}
      onConfirm={() => onConfirm(choice)}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text>{counted(open, 'run is', 'runs are')} still open.</Text>
        <Radio.Group
          aria-label="What happens to open runs"
          value={choice}
          onChange={(value) => setChoice(value as OpenRunChoice)}
        >
          <Stack gap="sm">
            {CHOICES.map((one) => (
              <Radio key={one.value} {...one} data-autofocus={one.value === 'finish' || undefined} />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
    </ConfirmDialog>
  )
}

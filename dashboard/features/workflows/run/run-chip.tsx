import type { RunStatus } from '../../../../contract/workflow-states.ts'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import { RUN_WORDS, STEP_WORDS, type StepState } from '../run-words.ts'

export function RunChip({ status }: { status: RunStatus }) {
  const { word, tone, icon } = RUN_WORDS[status]
  return (
    <ToneChip tone={tone} icon={icon}>
      {word}
    </ToneChip>
  )
}

export function StepChip({ state }: { state: StepState }) {
  const { word, tone, icon } = STEP_WORDS[state]
  return (
    <ToneChip tone={tone} icon={icon}>
      {word}
    </ToneChip>
  )
}

import type { RunStatus } from '../../../../contract/workflow-states.ts'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import { RUN_WORDS, STEP_WORDS, type StepState } from '../run-words.ts'

export const RunChip = ({ status }: { status: RunStatus }) => <ToneChip {...RUN_WORDS[status]} />

export const StepChip = ({ state }: { state: StepState }) => <ToneChip {...STEP_WORDS[state]} />

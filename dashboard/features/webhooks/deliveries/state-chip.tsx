import type { DeliveryState } from '../../../../contract/webhook-states.ts'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import { STATE_WORDS } from '../delivery-words.ts'

export const StateChip = ({ state }: { state: DeliveryState }) => <ToneChip {...STATE_WORDS[state]} />

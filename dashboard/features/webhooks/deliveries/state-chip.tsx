import type { DeliveryState } from '../../../../contract/webhook-states.ts'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import { STATE_WORDS } from '../delivery-words.ts'

export function StateChip({ state }: { state: DeliveryState }) {
  const { word, tone, icon } = STATE_WORDS[state]
  return (
    <ToneChip tone={tone} icon={icon}>
      {word}
    </ToneChip>
  )
}

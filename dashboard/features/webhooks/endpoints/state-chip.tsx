import { CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import type { Endpoint } from '../api/webhooks.ts'
import { STATE_WORDS, stateOf } from './endpoint-state.ts'

const LOOKS = {
  active: { tone: 'good', icon: CircleCheck },
  failing: { tone: 'danger', icon: TriangleAlert },
  disabled: { tone: 'muted', icon: CircleSlash },
} as const

export function StateChip({ endpoint }: { endpoint: Endpoint }) {
  const state = stateOf(endpoint)
  return <ToneChip {...LOOKS[state]} word={STATE_WORDS[state]} />
}

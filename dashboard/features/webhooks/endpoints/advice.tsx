// The problem of an endpoint, its start, and advice with an action button.
import { Button, Text } from '@mantine/core'
import { CircleSlash, TriangleAlert } from 'lucide-react'
import type { Endpoint } from '../api/webhooks.ts'
import { formatInstant } from '../page/instant.ts'
import { adviceOf, STATE_WORDS, stateOf } from './endpoint-state.ts'
import { useEnabling } from './use-enabling.ts'

const FAILING = {
  color: 'var(--danger-strong)',
  background: 'var(--danger-surface)',
  borderColor: 'var(--danger-border)',
}

export function Advice({ endpoint }: { endpoint: Endpoint }) {
  const enabling = useEnabling(endpoint)
  const advice = adviceOf(endpoint)
  if (advice === undefined) return null
  const state = stateOf(endpoint)
  const since = state === 'disabled' ? endpoint.disabledAt : endpoint.failingSince
  const Icon = state === 'disabled' ? CircleSlash : TriangleAlert
  return (
    <section
      className="note wrap"
      style={state === 'failing' ? FAILING : undefined}
      aria-label={STATE_WORDS[state]}
    >
      <Icon size={16} aria-hidden />
      <Text flex="1 1 240px" maw="96ch">
        <strong>
          {STATE_WORDS[state]}
          {since && ` since ${formatInstant(since)}`}.
        </strong>{' '}
        {advice}
      </Text>
      {state === 'disabled' && (
        <Button variant="default" loading={enabling.isBusy} onClick={enabling.enable}>
          Enable endpoint
        </Button>
      )}
    </section>
  )
}

// What is wrong with an endpoint, since when, and what to do, with the button that does it.
import { Button } from '@mantine/core'
import { CircleSlash, TriangleAlert } from 'lucide-react'
import type { Endpoint } from '../../api/webhooks.ts'
import { formatInstant } from '../instant.ts'
import { adviceOf, STATE_WORDS, stateOf } from './endpoint-state.ts'
import classes from './endpoints.module.css'
import { useEnabling } from './use-enabling.ts'

export function Advice({ endpoint }: { endpoint: Endpoint }) {
  const enabling = useEnabling(endpoint)
  const advice = adviceOf(endpoint)
  if (advice === undefined) return null
  const state = stateOf(endpoint)
  const since = state === 'disabled' ? endpoint.disabledAt : endpoint.failingSince
  const Icon = state === 'disabled' ? CircleSlash : TriangleAlert
  return (
    <section className={classes.advice} data-state={state} aria-label={STATE_WORDS[state]}>
      <Icon size={16} aria-hidden />
      <p className={classes.adviceText}>
        <strong>
          {STATE_WORDS[state]}
          {since && ` since ${formatInstant(since)}`}.
        </strong>{' '}
        {advice}
      </p>
      {state === 'disabled' && (
        <Button variant="default" loading={enabling.isBusy} onClick={enabling.enable}>
          Enable endpoint
        </Button>
      )}
    </section>
  )
}

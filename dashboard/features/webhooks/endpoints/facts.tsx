// The settings of an endpoint in words: events, filters and headers.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import type { Endpoint } from '../api/webhooks.ts'
import { usePortal } from '../space.tsx'
import { summarizeTypes } from './event-type-tree.ts'
import classes from './facts.module.css'
import { changeWords, concernsChanges, concernsObjects, objectWords } from './filter-words.ts'
import { SecretField } from './secret-field.tsx'
import type { Secret } from './use-secret.ts'

function Filters({ endpoint }: { endpoint: Endpoint }) {
  const { objects } = usePortal()
  const { eventTypes, objectIds, changedAttributes } = endpoint
  if (objectIds === null && changedAttributes === null) return <span className="muted">None</span>
  const words = [
    ...(concernsObjects(eventTypes) ? [objectWords(objectIds, objects)] : []),
    ...(concernsChanges(eventTypes) ? [changeWords(changedAttributes)] : []),
  ]
  return words.join(' · ') || <span className="muted">None</span>
}

function Headers({ headers }: Pick<Endpoint, 'headers'>) {
  const [isRevealed, setRevealed] = useState(false)
  if (headers.length === 0) return <span className="muted">None</span>
  return (
    <Group gap="4px 8px">
      <ul className="grid gap-2">
        {headers.map(({ name, value }) => (
          <li key={name}>
            <code>
              {name}: {isRevealed ? value : '••••'}
            </code>
          </li>
        ))}
      </ul>
      <Button variant="default" size="compact-xs" onClick={() => setRevealed(!isRevealed)}>
        {isRevealed ? 'Hide values' : 'Reveal values'}
      </Button>
    </Group>
  )
}

export function Facts({ endpoint, secret }: { endpoint: Endpoint; secret: Secret }) {
  const { headers, rateLimit, createdAt } = endpoint
  return (
    <dl className={`facts ${classes.facts}`}>
      <dt>Events</dt>
      <dd>{summarizeTypes(endpoint.eventTypes)}</dd>
      <dt>Signing secret</dt>
      <dd>
        <SecretField secret={secret} />
      </dd>
      <dt>Filters</dt>
      <dd>
        <Filters endpoint={endpoint} />
      </dd>
      <dt>Headers</dt>
      <dd>
        <Headers headers={headers} />
      </dd>
      <dt>Rate limit</dt>
      <dd>
        {rateLimit === null ? (
          <span className="muted">None</span>
        ) : (
          `${counted(rateLimit, 'request')} per second`
        )}
      </dd>
      <dt>Added</dt>
      <dd>
        <TimeAgo value={createdAt} />
      </dd>
    </dl>
  )
}

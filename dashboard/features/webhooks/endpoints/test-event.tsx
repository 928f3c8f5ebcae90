// Sends an example event of a chosen type immediately, and shows the response.
import { Button, Group, Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { RESPONSE_BYTES_MAX } from '../../../../contract/webhook-states.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useSubmit } from '../../../shared/use-submit.ts'
import { CodeBox } from '../../../ui/code-box.tsx'
import { Select } from '../../../ui/select.tsx'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import {
  type CatalogueEntry,
  catalogueQuery,
  type DeliveryDetail,
  type Endpoint,
  sendTest,
} from '../api/webhooks.ts'
import { formatDuration } from '../delivery-words.ts'
import { useEndpointSearch } from '../endpoint-search.ts'
import { useSpace } from '../space.tsx'
import { focusPart } from './parts.ts'

function useTest(endpoint: Endpoint) {
  const space = useSpace()
  const [result, setResult] = useState<DeliveryDetail>()
  const submission = useSubmit(async (type: CatalogueEntry['name']) => {
    setResult(undefined)
    setResult(await sendTest(space, { id: endpoint.id, type }))
  })
  return { ...submission, result }
}

function Outcome({ result }: { result: DeliveryDetail }) {
  const attempt = result.attemptList[0]
  if (!attempt) return null
  const { response, failure, message, timings } = attempt
  return (
    <>
      <Group gap="4px 8px">
        <ToneChip
          word={response ? `Response ${response.status}` : 'No response'}
          tone={failure ? 'danger' : 'good'}
          icon={failure ? TriangleAlert : CircleCheck}
        />
        <span className="tabular">after {formatDuration(timings.totalMs)}</span>
      </Group>
      {message && <p>{capitalized(message)}</p>}
      {response?.body && <CodeBox code={response.body} label="Copy response" wraps />}
      {response?.isTruncated && (
        <p className="muted">Only the first {RESPONSE_BYTES_MAX / 1024} KiB of the response are kept.</p>
      )}
      {response?.body === '' && <p className="muted">The response has no body.</p>}
    </>
  )
}

function Result({ result }: { result: DeliveryDetail }) {
  const [, change] = useEndpointSearch()
  const show = () => {
    change({ tab: undefined, delivery: result.id, state: undefined, type: undefined })
    focusPart('deliveries')
  }
  return (
    <section className="stack gap-8 box" aria-label="Result">
      <Outcome result={result} />
      <Button variant="default" mr="auto" onClick={show}>
        Show delivery
      </Button>
    </section>
  )
}

export function TestEvent({ endpoint }: { endpoint: Endpoint }) {
  const { data: entries } = useSuspenseQuery(catalogueQuery(useSpace()))
  const [name, setName] = useState(endpoint.eventTypes?.[0] ?? entries[0]?.name)
  const entry = entries.find((one) => one.name === name)
  const { submit, isBusy, error, result } = useTest(endpoint)
  if (!entry) return null
  return (
    <Stack gap={12} pt={16}>
      <Group gap="xs" align="flex-end">
        <Select
          label="Event type"
          data={entries.map((one) => one.name)}
          value={entry.name}
          onChange={(value) => setName(entries.find((one) => one.name === value)?.name ?? entry.name)}
          allowDeselect={false}
          flex="0 1 280px"
        />
        <Button size="sm" loading={isBusy} onClick={() => void submit(entry.name)}>
          Send test
        </Button>
      </Group>
      <div role="status">{result && <Result result={result} />}</div>
      <FormError error={error} />
      <h3>Body</h3>
      <p className="muted small">
        {entry.description}. This is an example: it is sent without line breaks, and marked as a test.
      </p>
      <CodeBox code={entry.example} label="Copy body" />
    </Stack>
  )
}

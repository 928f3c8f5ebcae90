// A delivery: its facts, all attempts, and the selected attempt.
import { Skeleton, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSubmit } from '../../../shared/use-submit.ts'
import { Waiting } from '../../../shared/waiting.tsx'
import { type DeliveryDetail, deliveryQuery, LIVE_MS, replayDelivery } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'
import { AttemptList } from './attempt-list.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { Exchange } from './exchange.tsx'
import { Body } from './message-parts.tsx'
import { ReplayButton, ReplayResult } from './replay-result.tsx'
import { StateChip } from './state-chip.tsx'

interface ReplayOne {
  /** @param newest the number of the latest attempt so far */
  replay(newest: number): void
  /** true from the click to the response of the service. */
  isBusy: boolean
  /** Why the service refused. */
  error: unknown
  /** Number of the new attempt; undefined: no replay was requested here. */
  awaited: number | undefined
}

/** Replays the delivery and awaits the new attempt. */
function useReplay(id: string): ReplayOne {
  const space = useSpace()
  const cache = useQueryClient()
  const [awaited, setAwaited] = useState<number>()
  const { submit, isBusy, error } = useSubmit(async (newest: number) => {
    await replayDelivery(space, id)
    setAwaited(newest + 1)
    await cache.invalidateQueries({ queryKey: deliveryQuery(space, id).queryKey })
  })
  return { replay: (newest) => void submit(newest), isBusy, error, awaited }
}

/** Polling interval while a response is awaited. */
const SOON_MS = 1000

function Loading() {
  return (
    <Stack role="status" aria-label="Loading delivery" gap="sm">
      <Skeleton height={20} width="50%" />
      <Skeleton height={12} width="80%" />
      <Skeleton height={12} width="70%" />
      <Skeleton height={200} />
    </Stack>
  )
}

/** The number of the latest attempt. */
const newestOf = ({ attemptList }: DeliveryDetail): number => attemptList[0]?.attempt ?? 0

/** Shows the newest attempt until the user chooses another. A later attempt is shown when it arrives. */
function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const { attemptList: attempts, body } = delivery
  const newest = newestOf(delivery)
  const [chosen, setChosen] = useState<{ attempt: number; of: number }>()
  const shown = attempts.find(({ attempt }) => chosen?.of === newest && attempt === chosen.attempt)
  const current = shown ?? attempts[0]
  if (!current)
    return (
      <section aria-label="Request">
        <p className="muted small">Nothing was sent yet. This is what will be:</p>
        <Body text={body} of="request" />
      </section>
    )
  return (
    <>
      <AttemptList
        attempts={attempts}
        shown={current.attempt}
        onShow={(attempt) => setChosen({ attempt, of: newest })}
      />
      <Exchange key={current.attempt} attempt={current} body={body} />
    </>
  )
}

const isOut = (delivery: DeliveryDetail | undefined, awaited: number | undefined) =>
  awaited !== undefined && (delivery === undefined || newestOf(delivery) < awaited)

interface LoadedProps {
  delivery: DeliveryDetail
  replay: ReturnType<typeof useReplay>
  steps?: ReactNode
}

function Loaded({ delivery, replay, steps }: LoadedProps) {
  const { awaited, error, isBusy } = replay
  const isWaiting = isBusy || isOut(delivery, awaited)
  return (
    <div className="stack gap-16">
      <div className="row wrap gap-8">
        <StateChip state={delivery.state} />
        {delivery.trigger !== 'test' && (
          <ReplayButton onReplay={() => replay.replay(newestOf(delivery))} isBusy={isWaiting} />
        )}
        <ReplayResult
          awaited={awaited}
          attempt={delivery.attemptList.find(({ attempt }) => attempt === awaited)}
          error={error}
        />
        {steps && <div className="flex end gap-4">{steps}</div>}
      </div>
      <DeliveryFacts delivery={delivery} />
      <Attempts delivery={delivery} />
    </div>
  )
}

/** @param steps buttons to the next and previous delivery, if no bar above has them */
export function DeliveryView({ id, steps }: { id: string; steps?: ReactNode }) {
  const space = useSpace()
  const replay = useReplay(id)
  const query = useQuery({
    ...deliveryQuery(space, id),
    refetchInterval: ({ state }) => (isOut(state.data, replay.awaited) ? SOON_MS : LIVE_MS),
  })
  if (query.data) return <Loaded delivery={query.data} replay={replay} steps={steps} />
  return (
    <Waiting query={query}>
      <Loading />
    </Waiting>
  )
}

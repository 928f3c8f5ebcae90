// Running and recently ended replays.
import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck } from 'lucide-react'
import { type Replay, replaysQuery } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'
import { isShown, replayText } from './replay-words.ts'

const RUNNING_MS = 1000
/** Polling interval for finding replays that were started elsewhere, such as by the command line. */
const REST_MS = 15_000

/** Only the newest replays are shown. */
const SHOWN_MAX = 3

const isRunning = ({ state }: Replay) => state === 'running'

function Sign({ state }: Pick<Replay, 'state'>) {
  if (state === 'running') return <Loader size={14} color="gray" aria-hidden />
  const Icon = state === 'completed' ? CircleCheck : Ban
  return <Icon size={14} aria-hidden />
}

export function Replays({ endpointId }: { endpointId: string }) {
  const { data: replays = [] } = useQuery({
    ...replaysQuery(useSpace(), endpointId),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? RUNNING_MS : REST_MS),
  })
  const shown = replays.filter((replay) => isShown(replay, Date.now())).slice(0, SHOWN_MAX)
  return (
    <div role="status" style={{ marginBottom: shown.length === 0 ? -12 : 0 }}>
      {shown.map((replay) => (
        <p key={replay.id} className="row gap-8 muted small tabular">
          <Sign state={replay.state} />
          {replayText(replay)}
        </p>
      ))}
    </div>
  )
}

// Work that never ends: done as long as there is some, then looked for again after a while or when woken.
import type { Consumer } from '../base/consumer.ts'
import type { Wake } from './wake.ts'

export interface Loop {
  /** Looks for work immediately. */
  wake(): void
  /** Resolves when the round that is running has ended. */
  stop(): Promise<void>
}

interface LoopOptions {
  /** One round. @returns whether there may be more to do now */
  round: () => Promise<boolean>
  pollMs: number
  /** The pause doubles up to this while no round finds work and nothing wakes the loop; `pollMs` unless given. */
  idleMs?: number
  onError: (error: unknown) => void
}

/** After an error, such as a database that is away. */
const PAUSE_AFTER_ERROR_MS = 1000

export function startLoop({ round, pollMs, idleMs = pollMs, onError }: LoopOptions): Loop {
  let isStopped = false
  let isWoken = false
  let pauseMs = pollMs
  let endRest = () => {}
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const sleep = async (ms: number) => {
    if (!isWoken && !isStopped) await rest(ms)
    isWoken = false
  }
  const pause = () => {
    const ms = pauseMs
    pauseMs = Math.min(idleMs, ms * 2)
    return sleep(ms)
  }
  const turn = async () => {
    try {
      if (await round()) pauseMs = pollMs
      else await pause()
    } catch (error) {
      if (!isStopped) onError(error)
      isWoken = false
      await sleep(PAUSE_AFTER_ERROR_MS)
    }
  }
  const running = (async () => {
    while (!isStopped) await turn()
  })()
  return {
    wake() {
      isWoken = true
      pauseMs = pollMs
      endRest()
    },
    async stop() {
      isStopped = true
      endRest()
      await running
    },
  }
}

interface WokenLoopOptions extends LoopOptions {
  wake: Pick<Wake, 'listen'>
  /** What wakes it; undefined: only its own poll. */
  on: Consumer | 'work' | undefined
}

/** A loop that is woken by commits which may have work for it. */
export function startWokenLoop({ wake, on, ...options }: WokenLoopOptions): Loop {
  const loop = startLoop(options)
  const forget = on && wake.listen({ [on]: () => loop.wake() })
  return {
    wake: () => loop.wake(),
    stop() {
      forget?.()
      return loop.stop()
    },
  }
}

// A loop for continuous work. While rounds find work, the next starts immediately; else after a pause or a wake.
import type { Consumer } from '../base/consumer.ts'
import type { Wake } from './wake.ts'

export interface Loop {
  /** Starts a round immediately, or after the current round. */
  wake(): void
  /** Resolves when the current round has ended. */
  stop(): Promise<void>
}

interface LoopOptions {
  /** One round. @returns whether there may be more to do now */
  round: () => Promise<boolean>
  pollMs: number
  /** The pause doubles up to this while no round finds work and no wake comes; `pollMs` by default. */
  idleMs?: number
  onError: (error: unknown) => void
}

/** The pause after an error, such as an unavailable database. */
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
  /** The kind of commits that wake the loop; undefined: it only polls. */
  on: Consumer | 'work' | undefined
}

/** A loop that wakes after commits that may have work for it. */
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

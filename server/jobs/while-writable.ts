// Background work stops while the database is not written to, and starts again afterwards. What takes its place meanwhile
// frees space.
import type { DiskSpace } from '../disk-space/disk-space.ts'

type Stop = () => Promise<void>

interface Options {
  /** Begins background work. @returns ends it */
  work: () => Promise<Stop>
  /** Begins what is done in its place. */
  instead: () => Promise<Stop>
  onError: (error: unknown) => void
}

export interface WhileWritable {
  /** Settles when the first of the two has begun. @throws what it throws */
  readonly started: Promise<void>
  stop: Stop
}

/** Runs one of the two at a time: each is ended before the other begins. */
export function whileWritable(
  diskSpace: Pick<DiskSpace, 'shortage' | 'onChange'>,
  { work, instead, onError }: Options,
): WhileWritable {
  let isOver = false
  let running: { isWork: boolean; end: Stop } | undefined
  const endRunning = async () => {
    const ending = running
    running = undefined
    await ending?.end()
  }
  const turn = async () => {
    const isWork = diskSpace.shortage === undefined
    if (isOver || running?.isWork === isWork) return
    await endRunning()
    running = { isWork, end: await (isWork ? work() : instead()) }
  }
  const started = turn()
  let last = started.catch(() => undefined)
  const forget = diskSpace.onChange(() => {
    last = last.then(turn).catch(onError)
  })
  return {
    started,
    async stop() {
      isOver = true
      forget()
      await last
      await endRunning()
    },
  }
}

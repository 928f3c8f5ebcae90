// Background work stops while the database is not written to, and starts again afterwards. What takes its place meanwhile
// frees space.
import type { DiskSpace } from '../db/disk-space/disk-space.ts'

type Stop = () => Promise<void>

interface Options {
  /** Begins background work. @returns ends it; undefined when the disk became full before it began */
  work: () => Promise<Stop | undefined>
  /** Begins what is done in its place. */
  instead: () => Promise<Stop>
  /** Of what could not be ended, or begun later than at first. */
  onError: (error: unknown) => void
  retryMs?: number
}

export interface WhileWritable {
  /** Settles when the first of the two has begun. @throws what it throws: nothing is begun later then */
  readonly started: Promise<void>
  stop: Stop
}

/** After an error, such as a database that recovers from a full disk. */
const RETRY_MS = 5000

/** Keeps one of the two running, whichever is to run now: each is ended before the other begins. */
function oneOfTwo(
  diskSpace: Pick<DiskSpace, 'shortage'>,
  { work, instead }: Pick<Options, 'work' | 'instead'>,
): { turn: () => Promise<void>; end: Stop } {
  let running: { isWork: boolean; end: Stop } | undefined
  const end = async () => {
    const ending = running
    running = undefined
    await ending?.end()
  }
  const turn = async (): Promise<void> => {
    const isWork = diskSpace.shortage === undefined
    if (running?.isWork === isWork) return
    await end()
    const begun = await (isWork ? work() : instead())
    if (begun === undefined) return turn()
    running = { isWork, end: begun }
  }
  return { turn, end }
}

/** Runs one of the two at a time. What cannot begin later on is tried again. */
export function whileWritable(
  diskSpace: Pick<DiskSpace, 'shortage' | 'onChange'>,
  { work, instead, onError, retryMs = RETRY_MS }: Options,
): WhileWritable {
  let isOver = false
  let retry: NodeJS.Timeout | undefined
  const { turn, end } = oneOfTwo(diskSpace, { work, instead })
  const retryLater = (error: unknown) => {
    onError(error)
    clearTimeout(retry)
    if (!isOver) retry = setTimeout(turnNext, retryMs)
  }
  const turnNext = () => {
    last = last.then(() => (isOver ? undefined : turn())).catch(retryLater)
  }
  const finish = () => {
    isOver = true
    forget()
    clearTimeout(retry)
  }
  const started = turn()
  let last = started.catch(finish)
  const forget = diskSpace.onChange(turnNext)
  return {
    started,
    async stop() {
      finish()
      await last
      await end()
    },
  }
}

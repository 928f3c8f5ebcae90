// Stops background work while the disk is full, and frees space instead. Afterwards the work starts again.
import type { DiskSpace } from '../db/disk-space/disk-space.ts'

type Stop = () => Promise<void>

interface Options {
  /** Starts background work. @returns a function that ends it; undefined if the disk became full before */
  work: () => Promise<Stop | undefined>
  /** Starts the work that replaces it on a full disk. */
  instead: () => Promise<Stop>
  /** Receives errors of stops, and of starts after the first. */
  onError: (error: unknown) => void
  retryMs?: number
}

export interface WhileWritable {
  /** Settles when `work` or `instead` has started. @throws the error of this start: then nothing starts later */
  readonly started: Promise<void>
  stop: Stop
}

/** The pause after an error, for example while the database recovers from a full disk. */
const RETRY_MS = 5000

/** Runs `work` or `instead`, depending on the disk. One ends before the other starts. */
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

/** Runs `work` or `instead`, one at a time. A start that fails later is tried again. */
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

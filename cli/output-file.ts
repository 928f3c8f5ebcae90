// Where commands write what may be large: a file that is complete or absent, or standard output.
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { explainingNoSpace } from '../server/base/no-space.ts'

export type Write = (piece: string | Uint8Array) => Promise<void>

/** Waits until the reader has taken the text, so that no more than a page is ever in memory. */
const toStdout: Write = (piece) =>
  new Promise((resolve, reject) => {
    process.stdout.write(piece, (error) => (error ? reject(error) : resolve()))
  })

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EPIPE') || isClosedPipe(error.cause))

/** Ends quietly when the reader has seen enough, as with `| head`. */
export async function writeToStdout(work: (write: Write) => Promise<unknown>): Promise<void> {
  // Reported by write's callback; without a listener it would end the process.
  process.stdout.on('error', () => undefined)
  try {
    await work(toStdout)
  } catch (error) {
    if (!isClosedPipe(error)) throw error
  }
}

async function writeWhole<Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  const draft = `${path}.partial-${process.pid}`
  const file = await open(draft, 'wx')
  try {
    const result = await work((piece) => file.writeFile(piece))
    await file.sync()
    await file.close()
    await rename(draft, path)
    return result
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** Under its own name only once it is complete and on the disk. */
export const writeToFile = <Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> =>
  explainingNoSpace({ folder: dirname(resolve(path)), advice: 'write to a file on a larger disk' }, () =>
    writeWhole(path, work),
  )

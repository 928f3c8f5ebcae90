// Writes large output of commands: to a file that is complete or absent, or to standard output.
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { explainingNoSpace } from '../server/base/no-space.ts'

export type Write = (piece: string | Uint8Array) => Promise<void>

/** Waits until the reader has received the text, so that at most one page is in memory. */
const toStdout: Write = (piece) =>
  new Promise((resolve, reject) => {
    process.stdout.write(piece, (error) => (error ? reject(error) : resolve()))
  })

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EPIPE') || isClosedPipe(error.cause))

/** Ends without an error when the reader ends, as with `| head`. */
export async function writeToStdout(work: (write: Write) => Promise<unknown>): Promise<void> {
  // The callback of `write` reports the error. Without a listener it would end the process.
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

/** Writes into a device or a pipe, without replacing it. */
async function writeInto<Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'w')
  try {
    return await work((piece) => file.writeFile(piece))
  } finally {
    await file.close()
  }
}

/** The file gets its name only when it is complete and on the disk. The target of a link is replaced, not the link. */
export const writeToFile = <Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> =>
  explainingNoSpace(
    { folder: dirname(resolve(path)), advice: 'write to a file on a larger disk' },
    async () => {
      const target = await realpath(path).catch(() => path)
      const known = await stat(target).catch(() => undefined)
      return known && !known.isFile() && !known.isDirectory()
        ? writeInto(path, work)
        : writeWhole(target, work)
    },
  )

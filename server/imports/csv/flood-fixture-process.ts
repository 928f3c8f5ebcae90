// A worker that surveys a file of `megabytes` made of one repeated text, and posts the number of rows or the message
// of the error.
import { parentPort, workerData } from 'node:worker_threads'
import { decodeText } from './encoding.ts'
import { surveyFile } from './survey.ts'

const PIECE_BYTES = 256 * 1024
const { text, megabytes } = workerData as { text: string; megabytes: number }
const PIECES = 4 * megabytes

async function* flood(): AsyncGenerator<Buffer> {
  yield Buffer.from('a,b\n')
  const piece = Buffer.alloc(PIECE_BYTES, text)
  for (let count = 0; count < PIECES; count++) yield piece
}

const result = await surveyFile(decodeText(flood(), 'utf-8')).then(
  ({ rows }) => rows,
  (error: Error) => error.message,
)
parentPort?.postMessage(result)

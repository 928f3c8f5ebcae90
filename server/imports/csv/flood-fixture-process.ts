// A worker that surveys one text over and over, 100 MB or what is asked for, and posts how many rows there were, or why it
// was refused.
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

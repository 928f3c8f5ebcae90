// Reads files of 100 MB (wide rows: 25 MB) that could fill the memory, in a worker with a small heap. A worker that
// exceeds its heap ends with an error.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const HEAP_MIB = 64
const MEGABYTES = 100
/** Wide rows take longest. 25 MB have 26 million cells: keeping anything of each cell exceeds the heap too. */
const WIDE_MEGABYTES = 25

async function survey(text: string, megabytes: number): Promise<unknown> {
  const worker = new Worker(new URL('./flood-fixture-process.ts', import.meta.url), {
    workerData: { text, megabytes },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  const [result] = await once(worker, 'message')
  await worker.terminate()
  return result
}

test.each<[string, string, unknown, number?]>([
  ['line feeds', '\n', 0],
  ['line breaks of Windows', '\r\n', 0],
  ['rows of two cells', 'a,b\n', 26_214_400],
  ['rows of 500 cells', `${','.repeat(499)}\n`, expect.any(Number), WIDE_MEGABYTES],
  ['rows of 1000 cells', `${','.repeat(999)}\n`, expect.any(Number), WIDE_MEGABYTES],
  ['a row of delimiters', ',', expect.stringContaining('line 2 has more than')],
  ['a row of letters', 'x', expect.stringContaining('line 2 has more than')],
  ['a quote that is not closed', `"${'x'.repeat(256 * 1024 - 1)}`, expect.anything()],
  ['quotes that end inside cells', 'a,"b\n', expect.any(Number)],
])('a heap of 64 MB is enough for %s', async (_, text, result, megabytes = MEGABYTES) => {
  expect(await survey(text, megabytes)).toEqual(result)
})

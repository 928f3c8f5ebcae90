// Files of 100 MB that are made to fill the memory, read in a small heap. A worker that exceeds it ends with an error.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const HEAP_MIB = 64

async function survey(text: string): Promise<unknown> {
  const worker = new Worker(new URL('./flood-fixture-process.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  const [result] = await once(worker, 'message')
  await worker.terminate()
  return result
}

test.each<[string, string, unknown]>([
  ['line feeds', '\n', 0],
  ['line breaks of Windows', '\r\n', 0],
  ['rows of two cells', 'a,b\n', 26_214_400],
  ['rows of 500 cells', `${','.repeat(499)}\n`, expect.any(Number)],
  ['rows of 1000 cells', `${','.repeat(999)}\n`, expect.any(Number)],
  ['a row of delimiters', ',', expect.stringContaining('line 2 has more than')],
  ['a row of letters', 'x', expect.stringContaining('line 2 has more than')],
  ['a quote that is not closed', `"${'x'.repeat(256 * 1024 - 1)}`, expect.anything()],
  ['quotes that end inside cells', 'a,"b\n', expect.any(Number)],
])('a heap of 64 MB is enough for %s', { timeout: 300_000 }, async (_, text, result) => {
  expect(await survey(text)).toEqual(result)
})

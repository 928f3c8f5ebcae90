import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../test/child-environment.ts'
import { readSources } from './build.ts'

const SCRIPT = `
  const { readSources } = await import(process.argv[1])
  console.log((await readSources()).fingerprint)`

test('the sources are read by a process that may open fewer files than there are', async () => {
  const module = new URL('./build.ts', import.meta.url).href
  const node = [process.execPath, '--input-type=module', '--eval', SCRIPT, module]
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 128 && exec "$@"', 'sh', ...node], {
    env: CHILD_ENVIRONMENT,
  })
  expect(stdout.trim()).toBe((await readSources()).fingerprint)
})

// npm run faults -- --long --only "half-open" --seed 7: runs the fault suite or a part of it; --times 10 fills the disk
// ten times.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { START_TIME } from '../start-time.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const { values } = parseArgs({
  options: {
    long: { type: 'boolean' },
    only: { type: 'string' },
    seed: { type: 'string' },
    times: { type: 'string' },
  },
})
if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed))
  throw new Error(`--seed must be a whole number, not "${values.seed}"`)

if (values.times !== undefined && !/^\d{1,3}$/.test(values.times))
  throw new Error(`--times must be a whole number, not "${values.times}"`)

const FILES = ['external', 'embedded', 'full-disk'].map((name) => `server/test/${name}.faults.verify.ts`)

// One file after the other, so that the load of one does not change the times that another prints.
const vitest = spawn('vitest', ['run', '--no-file-parallelism', ...FILES], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    [START_TIME]: 'now',
    ...(values.long && { FAULTS_LONG: '1' }),
    ...(values.times !== undefined && { FAULTS_TIMES: values.times }),
    ...(values.only !== undefined && { FAULTS_ONLY: values.only }),
    ...(values.seed !== undefined && { FAULTS_SEED: values.seed }),
  },
})
vitest.once('exit', (code) => {
  process.exitCode = code ?? 1
})

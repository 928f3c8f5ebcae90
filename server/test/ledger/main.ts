// npm run ledger -- --kills 1000 --seed 7: the ledger test in its long form.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
for (const [name, value] of Object.entries(values))
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} must be a whole number, not "${value}"`)

const vitest = spawn('vitest', ['run', 'server/test/ledger.test.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.kills !== undefined && { LEDGER_KILLS: values.kills }),
    ...(values.seed !== undefined && { LEDGER_SEED: values.seed }),
  },
})
vitest.once('exit', (code) => {
  process.exitCode = code ?? 1
})

// npm start: sets the flags of Node, then runs the service.
import { parseArgs } from 'node:util'
import { openFilesMax, openFilesProblem } from './config/open-files.ts'
import { replaceProcess } from './entry/node/replace.ts'

const options = { dev: { type: 'boolean' }, process: { type: 'string' } } as const
const { values } = parseArgs({ options, strict: false })

/** Set by `npm run dev` (server/entry/dev/main.ts). */
const isDevelopment = values.dev === true
const name = typeof values.process === 'string' ? values.process : undefined

const problem = openFilesProblem(openFilesMax())
if (problem !== undefined) {
  process.stderr.write(`rapport: ${problem}\n`)
  process.exit(1)
}
if (!isDevelopment) replaceProcess(process.env)
// Imported only after replaceProcess, so that the modules of the service are not loaded twice.
const { run } = await import('./entry/run.ts')
await run(process.env, { isDevelopment, name })

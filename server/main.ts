// npm start: sets the flags of Node, then starts the service.
import { replaceProcess } from './node/replace.ts'

/** Of `npm run dev` (server/dev/main.ts), which holds the database and serves the pages. */
const isDevelopment = process.argv.includes('--dev')

if (!isDevelopment) replaceProcess(process.env)
// Only then: what the service consists of is not loaded twice.
const { runService } = await import('./start.ts')
await runService(process.env, isDevelopment)

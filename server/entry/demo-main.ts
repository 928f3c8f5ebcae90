// Creates and prints the demo organization in a separate process, because the content, the sign-up and its passwords
// need 50 MB that the service does not need later. The argument is the address of the service.
import { readConfig } from '../config/config.ts'
import { announceDemo } from '../demo/welcome.ts'
import { createLog } from '../operations/log.ts'
import { openContext } from './open-context.ts'

// If the service ends, its database ends too. The service handles signals to both processes, and waits for this one.
const orphaned = () => process.exit(1)
process.once('disconnect', orphaned)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

const config = readConfig(process.env)
const log = createLog(config)
const { ctx, pool, close } = await openContext(config, {
  mode: 'attach',
  log,
  onNotice: (line) => log.info(line),
})
try {
  await announceDemo({ ...ctx, db: pool }, process.argv[2] ?? config.baseUrl)
} catch (err) {
  log.error({ err }, 'the demo organization could not be created')
  process.exitCode = 1
}
await close()
process.off('disconnect', orphaned)
process.disconnect?.()

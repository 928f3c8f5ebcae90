// Is the process alive, and can it answer?
import type { NamedCondition, Readiness } from '../context.ts'
import { AppError } from '../errors.ts'
import type { App } from './request.ts'

const STOPPING: NamedCondition = { check: 'process', status: 'fail', detail: 'The service is stopping' }

/** Advice is for the operator, and stays in `rapport doctor`. */
const shown = ({ check, status, detail }: NamedCondition) => ({ check, status, detail })

export function healthRoutes(app: App, readiness: Readiness): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async () => {
    const found = await readiness()
    const isReady = found.isReady && !isStopping
    const conditions = [...(isStopping ? [STOPPING] : []), ...found.conditions].map(shown)
    if (isReady) return { status: 'ready', ...(conditions.length > 0 && { conditions }) }
    const reasons = conditions.filter(({ status }) => status === 'fail').map(({ detail }) => detail)
    throw new AppError('unavailable', `Not ready: ${reasons.join('; ')}`, { conditions })
  })
}

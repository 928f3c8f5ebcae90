// Routes for probes: whether the process is alive, and whether it is ready for requests.
import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../base/errors.ts'
import { sendError } from './render-errors.ts'
import type { App } from './request.ts'

export interface NamedCondition {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
}

/** Resolves within 2 s, also when the database does not answer. `conditions` lists only warnings and failures. */
export type Readiness = () => Promise<{ isReady: boolean; conditions: readonly NamedCondition[] }>

const STOPPING: NamedCondition = { check: 'process', status: 'fail', detail: 'The service is stopping' }

/** Without advice, which is for operators and only shown by `rapport doctor`. */
const shown = ({ check, status, detail }: NamedCondition) => ({ check, status, detail })

type Shown = ReturnType<typeof shown>

const isFailing = ({ status }: Shown) => status === 'fail'

/** Logs one line for each change of conditions, since probes come every second. */
function logChanges(log: FastifyBaseLogger): (isReady: boolean, conditions: Shown[]) => void {
  const nameOf = (isReady: boolean, conditions: Shown[]) =>
    [isReady, ...conditions.map(({ check, status }) => `${check} ${status}`)].join()
  let last = nameOf(true, [])
  return (isReady, conditions) => {
    const name = nameOf(isReady, conditions)
    if (name === last) return
    last = name
    if (!isReady) log.warn({ conditions }, 'the service is not ready')
    else if (conditions.length > 0) log.warn({ conditions }, 'the service is ready, with conditions')
    else log.info('the service is ready again')
  }
}

export function healthRoutes(app: App, readiness: Readiness): void {
  const noteChange = logChanges(app.log)
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    const found = await readiness()
    const named = found.conditions.map(shown)
    // The start of the stop is logged elsewhere.
    if (!isStopping) noteChange(found.isReady, named)
    const conditions = [...(isStopping ? [shown(STOPPING)] : []), ...named]
    if (found.isReady && !isStopping) return { status: 'ready', ...(conditions.length > 0 && { conditions }) }
    const reasons = conditions.filter(isFailing).map(({ detail }) => detail)
    const error = new AppError('unavailable', `Not ready: ${reasons.join('; ')}`, { conditions })
    return sendError(error, request, reply)
  })
}

// The hub of a process, for as long as its API answers.
import type { Context } from '../context.ts'
import type { App } from '../http/request.ts'
import { LiveHub } from './hub.ts'

/** To be called before other hooks that run when the API stops: a stream ends by itself then, nothing waits for it. */
export function openLive(app: App, { db, clock, config, wake, log }: Context): LiveHub {
  const hub = new LiveHub({
    db,
    clock,
    bounds: config.liveStreams,
    onError: (err) =>
      log.warn({ err }, 'live updates of the dashboard are delayed: events could not be read'),
  })
  const stopListening = wake.onWrite(() => hub.wake())
  app.addHook('preClose', async () => {
    stopListening()
    hub.close()
  })
  return hub
}

// The hub of a process, while its API runs.
import type { Context } from '../context.ts'
import type { App } from '../http/request.ts'
import { LiveHub } from './hub.ts'

/** Call it before other hooks that run when the API stops, so that streams end before anything waits for them. */
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

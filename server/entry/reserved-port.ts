// With PORT=0 the system chooses a free port, before the address of the service is used in links in responses and
// mails. The port is held until the service listens on it, so that no other program can take it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, listeningOn } from '../config/config.ts'

type Listener = Pick<FastifyInstance, 'ready' | 'listen' | 'close'>

export interface ReservedPort {
  /** The configuration with the chosen port, also in `baseUrl`. */
  config: Config
  /** Listens, and closes the server that listened before. @returns the address */
  listen(app: Listener): Promise<string>
  release(): Promise<void>
}

/** Other systems refuse reusePort: there the port is briefly free before the service listens on it. */
const reusePort = process.platform === 'linux'

/** @param leave closes the server that holds the port first */
function heldBy(
  leave: () => Promise<void>,
  listening: { port: number; host: string; reusePort?: boolean },
): Pick<ReservedPort, 'listen' | 'release'> {
  let release = leave
  const listen = async (app: Listener) => {
    const before = release
    release = async () => void (await app.close())
    // So that the port is closed for less than a millisecond.
    await app.ready()
    if (!listening.reusePort) await before()
    // Fastify changes the options.
    const address = await app.listen({ ...listening })
    if (listening.reusePort) await before()
    return address
  }
  return { listen, release: () => release() }
}

export async function reservePort(config: Config): Promise<ReservedPort> {
  const { port, host } = config
  if (port !== 0) return { config, ...heldBy(async () => undefined, { port, host }) }
  const holder = createServer((socket) => socket.destroy()).listen({ port: 0, host, reusePort })
  await once(holder, 'listening')
  const { port: free } = holder.address() as AddressInfo
  const release = async () => {
    holder.close()
    await once(holder, 'close')
  }
  return { config: listeningOn(config, free), ...heldBy(release, { port: free, host, reusePort }) }
}

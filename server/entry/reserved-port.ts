// With PORT=0 the system chooses a free port, before the address of the service is used in links in responses and
// mails. The port is held until the service listens on it, so that no other program can take it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, listeningOn } from '../config/config.ts'

export interface ReservedPort {
  /** The configuration with the chosen port, also in `baseUrl`. */
  config: Config
  /** The options for `listen`. */
  listening: { port: number; host: string; reusePort?: boolean }
  release(): Promise<void>
}

/** Other systems refuse reusePort: there the port is briefly free before the service listens on it. */
const reusePort = process.platform === 'linux'

export async function reservePort(config: Config): Promise<ReservedPort> {
  const { port, host } = config
  if (port !== 0) return { config, listening: { port, host }, release: () => Promise.resolve() }
  const holder = createServer((socket) => socket.destroy()).listen({ port: 0, host, reusePort })
  await once(holder, 'listening')
  const { port: free } = holder.address() as AddressInfo
  const release = async () => {
    holder.close()
    await once(holder, 'close')
  }
  if (!reusePort) await release()
  return {
    config: listeningOn(config, free),
    listening: { port: free, host, reusePort },
    release: reusePort ? release : () => Promise.resolve(),
  }
}

// With PORT=0 the system chooses the port: before anything is made of the address of the service, such as the links in
// its answers and mails. It is held until the service listens on it, so that no other program gets it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, listeningOn } from '../config/config.ts'

export interface ReservedPort {
  /** With the port, and an address that has it. */
  config: Config
  /** What to listen with. */
  listening: { port: number; host: string; reusePort?: boolean }
  release(): Promise<void>
}

/** Other systems refuse it: there the port is free for a moment before the service listens on it. */
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

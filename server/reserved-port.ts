// With PORT=0 the system chooses the port: before anything is made of the address of the service, such as the links in
// its answers and mails. It is held until the service listens on it, so that no other program gets it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, listeningOn } from './config.ts'

export interface ReservedPort {
  /** With the port, and an address that has it. */
  config: Config
  /** What to listen with. */
  listening: { port: number; host: string; reusePort?: true }
  release(): Promise<void>
}

export async function reservePort(config: Config): Promise<ReservedPort> {
  const { port, host, role } = config
  if (port !== 0 || role === 'worker')
    return { config, listening: { port, host }, release: () => Promise.resolve() }
  const holder = createServer().listen({ port: 0, host, reusePort: true })
  await once(holder, 'listening')
  const { port: free } = holder.address() as AddressInfo
  return {
    config: listeningOn(config, free),
    listening: { port: free, host, reusePort: true },
    async release() {
      holder.close()
      await once(holder, 'close')
    },
  }
}

// The faults of the primary that rounds apply, one after the other.
import { switchover } from './cluster.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'

export interface Fault {
  name: string
  apply(primary: Machine, network: Network): Promise<void>
}

export const FAULTS: readonly Fault[] = [
  { name: 'machine switched off', apply: (primary) => primary.switchOff() },
  { name: 'PostgreSQL killed', apply: (primary) => primary.killPostgres() },
  { name: 'machine paused', apply: (primary) => primary.pause() },
  { name: 'machine cut off', apply: async ({ number }, network) => network.isolate(number, false) },
  {
    name: 'machine cut off from the others, not from clients',
    apply: async ({ number }, network) => network.isolate(number, true),
  },
  { name: 'switchover', apply: ({ number }) => switchover(number) },
]

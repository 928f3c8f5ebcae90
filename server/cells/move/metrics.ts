// A metric of moves between cells, for the directory.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/pool.ts'
import { selectMoves } from './store.ts'

/** Adds a gauge that queries the directory when it is collected: NaN if it does not respond. */
export function measureMoves(registry: Registry, directory: Db): void {
  const left = new Gauge({
    aggregator: 'first',
    name: 'rapport_moves_left',
    help: 'Moves of organizations between cells that have not ended, and that no command works on',
    registers: [registry],
    async collect() {
      const moves = await selectMoves(directory).catch(() => undefined)
      left.set(moves ? moves.filter(({ isWorking }) => !isWorking).length : Number.NaN)
    },
  })
}

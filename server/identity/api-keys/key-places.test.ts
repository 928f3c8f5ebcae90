import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { KeyPlaces } from './key-places.ts'
import { LEASE_MS } from './lease.ts'

test('a directory that does not answer delays neither the next query nor the closing', async () => {
  const many = vi.fn(() => new Promise<never>(() => undefined))
  const places = new KeyPlaces({
    db: { many } as Partial<Db> as Db,
    cells: { opened: new Map() },
    log: pino({ level: 'silent' }),
    leaseMs: LEASE_MS,
    monotonic: () => 0,
  })
  await places.renew()
  void places.renew()
  expect(many).toHaveBeenCalledTimes(2)
  await places.close()
})

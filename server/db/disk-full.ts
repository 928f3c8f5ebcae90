// Hears on every connection that PostgreSQL has no space left, whichever statement met it.
import type pg from 'pg'
import { DISK_FULL } from './unavailable.ts'

/** @param all pools without connections yet @returns what adds a listener */
export function hearDiskFull(all: readonly { pool: pg.Pool }[]): (listener: () => void) => void {
  const listeners = new Set<() => void>()
  for (const { pool } of all)
    pool.on('connect', ({ connection }) =>
      connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
        if (code !== DISK_FULL) return
        for (const listener of listeners) listener()
      }),
    )
  return (listener) => void listeners.add(listener)
}

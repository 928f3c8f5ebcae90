// Memory and CPU time that open sessions use while no records are edited.
import { setTimeout as delay } from 'node:timers/promises'
import type { Row } from '../harness/figures.ts'
import { reported } from '../harness/rows.ts'
import { processMs, residentMb, serverMs } from '../harness/usage.ts'
import type { Measured } from './measured.ts'
import type { Audience } from './sessions.ts'

const SETTLE_MS = 5000
const SECONDS = 15

async function usedInPercent({ service: { pid, postgresPid } }: Measured) {
  const read = async () => ({ service: await processMs(pid), database: await serverMs(postgresPid) })
  const before = await read()
  await delay(SECONDS * 1000)
  const after = await read()
  const percent = (from: number, to: number) => (to - from) / (SECONDS * 10)
  return {
    service: percent(before.service, after.service),
    database: percent(before.database, after.database),
  }
}

/** Requires open streams, and closes them. */
export async function measureIdle(measured: Measured, name: string, audiences: Audience[]): Promise<Row[]> {
  const { sessions, service } = measured
  await delay(SETTLE_MS)
  const open = { mb: await residentMb(service.pid), used: await usedInPercent(measured) }
  await sessions.leave()
  await delay(SETTLE_MS)
  const without = await usedInPercent(measured)
  const before = await residentMb(service.pid)
  await sessions.follow(audiences)
  await delay(SETTLE_MS)
  const after = await residentMb(service.pid)
  await sessions.leave()
  const count = audiences.reduce((sum, { cookies }) => sum + cookies.length, 0)
  const row = (what: string, unit: string, figure: number) => reported(`${name}, idle: ${what}`, unit, figure)
  return [
    row('service with them', 'MB', open.mb),
    row('each that opens again', 'kB', ((after - before) * 1024) / count),
    row('service with', '% of a core', open.used.service),
    row('service without', '% of a core', without.service),
    row('database with', '% of a core', open.used.database),
    row('database without', '% of a core', without.database),
  ]
}

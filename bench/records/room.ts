// Disk space of the loaded records, compared with the limit's table and its indexes.
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { atMost, reported } from '../harness/rows.ts'
import { eventBytes, recordBytes, tableBytes } from './disk.ts'
import { LIMIT_TABLE } from './limit-table.ts'
import type { Stage } from './stage.ts'

export const ROOM_NAME = 'bytes on the disk'
const TARGET = 2.5

/** The companies are included, but are too few to change the result. */
export async function measureRoom(_lab: Lab, { ctx, owner, records }: Stage): Promise<Row[]> {
  const { db } = ctx
  const ours = (await recordBytes(db, owner.caller.org)) / records
  const limit = (await tableBytes(db, LIMIT_TABLE)) / records
  const events = (await eventBytes(db, owner.caller.org)) / records
  return [
    atMost({ case: ROOM_NAME, unit: 'bytes per record', ours, limit }, TARGET),
    reported(ROOM_NAME, 'bytes of events per record', events),
  ]
}

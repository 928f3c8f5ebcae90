import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newIdAt } from '../base/id.ts'
import { createTestDatabase } from '../test/database.ts'
import { dropOldEvents, ensurePartitions } from './partitions.ts'

const { pool } = await createTestDatabase()

const insertEvent = (at: Date) =>
  pool.run(sql`
    insert into events (org, id, type, subject, data) values (1, ${newIdAt(at)}, 'record.created', ${newIdAt(at)}, '{}')`)

const eventsByPartition = async () =>
  Object.fromEntries(
    (
      await pool.many<{ name: string; n: number }>(
        sql`select tableoid::regclass::text as name, count(*) as n from events group by 1`,
      )
    ).map(({ name, n }) => [name, n]),
  )

test('an event goes into the partition of its day, or into the default partition', async () => {
  await ensurePartitions(pool, new Date('2031-03-01T12:00:00Z'))
  await insertEvent(new Date('2031-03-01T00:00:00.000Z'))
  await insertEvent(new Date('2031-03-01T23:59:59.999Z'))
  await insertEvent(new Date('2031-03-08T23:59:59.999Z'))
  await insertEvent(new Date('2031-03-09T00:00:00.000Z'))
  expect(await eventsByPartition()).toEqual({ events_20310301: 2, events_20310308: 1, events_other: 1 })
})

test('events of a day whose first event is in the default partition all go there', async () => {
  await ensurePartitions(pool, new Date('2031-03-02T12:00:00Z'))
  await insertEvent(new Date('2031-03-09T12:00:00.000Z'))
  expect(await eventsByPartition()).toMatchObject({ events_other: 2 })
})

test('many processes can create the partitions of the same days concurrently', async () => {
  const now = new Date('2031-06-01T12:00:00Z')
  await Promise.all(Array.from({ length: 5 }, () => ensurePartitions(pool, now)))
})

test('creating partitions times out while an open transaction has read events, and then succeeds', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
  const dump = pool.transaction(async (tx) => {
    await tx.run(sql`lock table events in access share mode`)
    read()
    await isOver
  })
  await hasRead
  await expect(ensurePartitions(pool, new Date('2031-09-01T12:00:00Z'))).rejects.toMatchObject({
    code: '55P03',
  })
  end()
  await dump
  await ensurePartitions(pool, new Date('2031-09-01T12:00:00Z'))
})

test('partitions of old days are dropped, and the partition of the limit day is kept', async () => {
  await ensurePartitions(pool, new Date('2031-04-07T12:00:00Z'))
  await insertEvent(new Date('2031-03-31T11:00:00Z'))
  const dropped = await dropOldEvents(pool, new Date('2031-03-31T12:00:00Z'), 30)
  expect(dropped).toEqual([])
  await insertEvent(new Date('2031-04-07T11:00:00Z'))
  expect((await dropOldEvents(pool, new Date('2031-04-07T12:00:00Z'), 30)).sort()).toEqual(
    ['events', 'webhook_attempts', 'webhook_deliveries', 'webhook_messages'].flatMap((table) =>
      Array.from({ length: 7 }, (_, day) => `${table}_2031030${day + 1}`),
    ),
  )
  expect(await eventsByPartition()).toEqual({ events_20310308: 1, events_other: 3, events_20310407: 1 })
})

test('age is counted from the newest event: a clock that jumps ahead without new events drops nothing', async () => {
  const before = await eventsByPartition()
  expect(await dropOldEvents(pool, new Date('2031-05-17T12:00:00Z'), 30)).toEqual([])
  expect(await eventsByPartition()).toEqual(before)
  await insertEvent(new Date('2031-05-17T11:00:00Z'))
  await dropOldEvents(pool, new Date('2031-05-17T12:00:00Z'), 30)
  expect(await eventsByPartition()).toEqual({ events_other: 1 })
})

test('an event whose time is in the future does not raise the age of other events', async () => {
  await insertEvent(new Date('2031-06-29T11:00:00Z'))
  await insertEvent(new Date('2031-06-02T11:00:00Z'))
  expect(await dropOldEvents(pool, new Date('2031-06-05T12:00:00Z'), 30)).not.toContain('events_20310602')
  expect(await eventsByPartition()).toEqual({ events_other: 2, events_20310602: 1 })
})
